"""Studies: questions in files, designs over rules, run directories."""
