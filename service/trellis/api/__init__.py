"""The HTTP service, version 1: one file a resource, thin routes over `wiring.House`."""
