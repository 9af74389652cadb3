"""A package whose other module is loaded on first use."""
