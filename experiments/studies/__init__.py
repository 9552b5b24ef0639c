"""Studies: questions in files, designs over rules, targets, run directories."""
