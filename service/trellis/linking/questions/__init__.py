"""What the words around names ask for.

    connections       what asks how things are connected, or what they share
    distances         what asks how far places are apart, or which are near
    elliptic          questions that leave out what an earlier one said
    operators         words by which a question asks for more than a walk
    pronouns          pronouns that stand for something said before the question
    question_phrases  what a question asks for, as a noun phrase
    said_words        the words of a question that texts say
    text_conditions   what a question wants texts to say
    moments           the moment of which a question wants something to be so
    other_languages   whether a text is in another language than English

Used by the steps and training.
"""
