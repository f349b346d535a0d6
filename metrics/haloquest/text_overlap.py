"""Scores a free reply by the words that it shares with reference answers, as captions are scored.

These are the baselines of HaloQuest's figure 3 (Wang et al., ECCV 2024, section 4.2). They see no
image and know nothing of what a reply means: "There is a bee." shares most words with "There is no
bee.". All of them lower the case of a text. Nothing here calls a model.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import words

CIDER_SCALE = 10.0
_LONGEST_GRAM = 4
_SIGMA = 6.0  # of the penalty for a length that differs, Vedantam et al., section 5
Grams = Mapping[tuple[str, ...], float]


class OverlapSpec(NamedTuple):
    """Names a text overlap score, with the upper end of its range; the lower end is 0."""

    name: str
    title: str
    most: float


OVERLAPS = (
    OverlapSpec("bleu", "BLEU", 1.0),
    OverlapSpec("rouge_l", "ROUGE-L", 1.0),
    OverlapSpec("meteor", "METEOR", 1.0),
    OverlapSpec("cider", "CIDEr-D", CIDER_SCALE),
    OverlapSpec("chrf", "chrF", 1.0),
)


@dataclass(frozen=True)
class TextOverlap:
    """Holds the text overlap scores of one reply with its reference answers.

    All lie in [0, 1], but `cider` in [0, 10]. Each takes several references in its own way: BLEU
    and chrF by the closest n-grams and length, ROUGE-L and METEOR as the best reference, CIDEr-D as
    the mean over references.
    """

    bleu: float
    rouge_l: float
    meteor: float
    cider: float
    chrf: float


@dataclass(frozen=True)
class ReferencedReply:
    """Holds a reply with the reference answers to its question, each of them right alone."""

    reply: str
    references: tuple[str, ...]


def score_overlaps(replies: Sequence[ReferencedReply]) -> list[TextOverlap | None]:
    """Return the text overlap scores of each reply; None where it has no reference.

    The replies belong together, as CIDEr-D weights words by how few questions have them in their
    references. BLEU: Papineni et al., ACL 2002, of a sentence, up to 4-grams of those that fit in
    it, with exponential smoothing (sacrebleu). ROUGE-L: Lin, 2004, the F measure over stems
    (rouge-score). METEOR: Banerjee and Lavie, 2005, with exact words, stems and WordNet's synonyms
    of nouns, which nltk looks up by their stems (so not "automobile", whose stem is no word).
    CIDEr-D: `cider_scores`. chrF: Popović, 2015 (sacrebleu).
    """
    cider = cider_scores(replies)
    return [
        _overlap(each, value) if each.references else None
        for each, value in zip(replies, cider, strict=True)
    ]


def _overlap(item: ReferencedReply, cider: float) -> TextOverlap:
    from nltk.translate.meteor_score import meteor_score
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu, sentence_chrf

    reply = item.reply.lower()
    references = [reference.lower() for reference in item.references]
    rouge = RougeScorer(["rougeL"], use_stemmer=True).score_multi(references, reply)
    meteor = meteor_score(
        [words(reference) for reference in references], words(reply), wordnet=NounSynonyms()
    )
    return TextOverlap(
        bleu=sentence_bleu(reply, references).score / 100,
        rouge_l=float(rouge["rougeL"].fmeasure),
        meteor=float(meteor),
        cider=cider,
        chrf=sentence_chrf(reply, references).score / 100,
    )


# --- METEOR's synonyms ---


class NounSynset(NamedTuple):
    """Holds the nouns of one meaning in the form in which nltk asks for them."""

    nouns: tuple[str, ...]

    def lemmas(self) -> list["NounLemma"]:
        return [NounLemma(noun) for noun in self.nouns]


class NounLemma(NamedTuple):
    """Holds one noun of a meaning in the form in which nltk asks for it."""

    noun: str

    def name(self) -> str:
        """Return the noun with "_" for every space, as WordNet writes it."""
        return self.noun.replace(" ", "_")


class NounSynonyms:
    """Gives METEOR the nouns of WordNet 3.0; other words have no synonyms here."""

    def synsets(self, word: str) -> list[NounSynset]:
        """Return the meanings of a noun, the most common first; none of another word."""
        return [NounSynset(wordnet.nouns(synset)) for synset in wordnet.senses(word)]


# --- CIDEr-D ---


def cider_scores(replies: Sequence[ReferencedReply]) -> list[float]:
    """Return CIDEr-D of each reply in [0, 10]; 0 where it has no reference.

    Vedantam, Zitnick and Parikh, CVPR 2015, section 5: the mean over n from 1 to 4 and over the
    references of the clipped cosine of n-grams weighted by tf-idf, less for a length that differs.
    An n-gram that the references of every question have weighs nothing, so that a single question
    has 0. Words are not stemmed, as in the public scorer.
    """
    reference_grams = [[_count_grams(text) for text in each.references] for each in replies]
    questions_by_gram: Counter[tuple[str, ...]] = Counter()
    for counts in reference_grams:
        questions_by_gram.update({gram for each in counts for gram in each})
    asked = sum(bool(counts) for counts in reference_grams)
    scores = []
    for each, counts in zip(replies, reference_grams, strict=True):
        reply = _count_grams(each.reply)
        similarities = [
            _clipped_cosine(reply, reference, questions_by_gram, asked) for reference in counts
        ]
        mean = sum(similarities) / len(similarities) if similarities else 0.0
        scores.append(CIDER_SCALE * mean)
    return scores


def _count_grams(text: str) -> Counter[tuple[str, ...]]:
    """Return how often the text has each run of 1 to 4 words."""
    tokens = words(text.lower())
    return Counter(
        tuple(tokens[start : start + length])
        for length in range(1, _LONGEST_GRAM + 1)
        for start in range(len(tokens) - length + 1)
    )


def _clipped_cosine(
    reply: Counter[tuple[str, ...]],
    reference: Counter[tuple[str, ...]],
    questions_by_gram: Mapping[tuple[str, ...], int],
    asked: int,
) -> float:
    """Return the mean over the lengths of n-grams of equations 2 and 3, in [0, 1]."""
    total = 0.0
    for length in range(1, _LONGEST_GRAM + 1):
        ours = _weigh(reply, length, questions_by_gram, asked)
        theirs = _weigh(reference, length, questions_by_gram, asked)
        norm = _norm(ours) * _norm(theirs)
        if norm:
            shared = sum(
                min(weight, theirs[gram]) * theirs[gram]
                for gram, weight in ours.items()
                if gram in theirs
            )
            total += shared / norm
    difference = _word_count(reply) - _word_count(reference)
    penalty = math.exp(-(difference**2) / (2 * _SIGMA**2))
    return penalty * total / _LONGEST_GRAM


def _weigh(
    counts: Counter[tuple[str, ...]],
    length: int,
    questions_by_gram: Mapping[tuple[str, ...], int],
    asked: int,
) -> Grams:
    """Return the tf-idf of the n-grams of one length (equation 1)."""
    return {
        gram: count * math.log(asked / max(1, questions_by_gram.get(gram, 0)))
        for gram, count in counts.items()
        if len(gram) == length
    }


def _norm(weights: Grams) -> float:
    return math.sqrt(sum(weight**2 for weight in weights.values()))


def _word_count(counts: Counter[tuple[str, ...]]) -> int:
    return sum(count for gram, count in counts.items() if len(gram) == 1)
