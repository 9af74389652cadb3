"""The sandbox: `server.Sandbox` runs one submission's calls and returns plain observations.

This file stays empty of imports, because the child's side lives in a subpackage and imports it.
"""
