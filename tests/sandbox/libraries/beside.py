"""What lies beside the libraries and belongs to none."""
