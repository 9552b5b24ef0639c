"""A designer's question in plain words, answered by the games that decide it.

``question_forms`` matches the words with one of a few forms; ``answers`` plays what the
form needs and says yes, no or cannot tell.
"""
