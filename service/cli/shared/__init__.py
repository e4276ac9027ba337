"""Code shared by commands: options, output, files and connections."""
