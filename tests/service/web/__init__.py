"""Tests of the page in Chromium. A package, so that the browser that they share is closed after the last of them."""
