"""Speed and memory beside a real peer, in one run: `make bench`."""
