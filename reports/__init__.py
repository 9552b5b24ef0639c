"""Reports: what is counted, tables and figures of it, and how sure it is."""
