"""The service around the domain: use cases, adapters, HTTP and command line."""
