"""Variants: rule files, where values come from, and differences in English."""
