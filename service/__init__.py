"""The service around the domain: use cases, adapters, HTTP, web page and command line."""
