"""Running blocks: processes, clusters, run directories, results."""
