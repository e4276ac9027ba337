"""What commands share: options, output, files and connections."""
