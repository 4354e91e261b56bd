"""Everything that can be done with a key, by name: one table for keys, footer, command palette and help.

A screen says which of these it has (`bindings`) and what they do (a method `action_…` of the same name). A person may
give a command other keys; its name is what they know it by.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_lowercase, digits
from typing import Final, NamedTuple

from textual.binding import Binding, BindingType

from tactics.errors import InputError, did_you_mean


class Command(NamedTuple):
    """Something to do.

    Attributes:
        name: one word, after `action_`.
        keys: by which it is done unless somebody says otherwise, separated by commas.
        label: a word or two for the footer.
        about: a sentence for palette and help.
        in_footer: whether the footer has room for it.
    """

    name: str
    keys: str
    label: str
    about: str
    in_footer: bool = True


_TABLE: Final = (
    # Places, from everywhere.
    Command("learn", "L", "Learn", "Go to the course and the lessons.", False),
    Command("prove", "P", "Prove", "Go to the proof you are working on.", False),
    Command("together", "T", "Together", "Work on this lemma beside the agent.", False),
    Command("watch", "W", "Watch", "Watch two agents on the same lemma.", False),
    Command("teach", "C", "Class", "See the class, with the teacher's passphrase.", False),
    Command("data", "D", "Data", "Take your work along, or bring it back.", False),
    Command("rules", "I", "Tactics", "Read what each of the twelve tactics does, with an example.", False),
    Command("help", "question_mark", "Help", "Explain this screen and all its keys."),
    Command("leave", "Q", "Quit", "Leave the classroom; your work is saved.", False),
    # A proof.
    Command("undo", "u", "Undo", "Take back the last move."),
    Command("redo", "r", "Redo", "Make the move again that was taken back."),
    Command("restart", "b", "Begin", "Go back to the beginning of the proof.", False),
    Command("hint", "h", "Hint", "Ask the teacher; each time in one place says more and costs a little."),
    Command("claim", "x", "No proof", "Say that this lemma has no proof at all."),
    Command("why", "c", "Why not", "Show a countermodel: why this can no longer be proved.", False),
    Command("tree", "t", "Tree", "Show the proof as a tree, or the steps again."),
    Command("rule", "i", "Rule", "Explain the tactic that is highlighted.", False),
    Command("save_proof", "e", "Export", "Save the finished proof for Coq, Lean, LaTeX or as a picture.", False),
    Command("another", "a", "Anew", "Begin the same lemma once more.", False),
    Command("following", "n", "Next", "Go on to the next lemma."),
    # Agents.
    Command("step", "space", "Step", "Let the agent make one move."),
    Command("episode", "o", "Once", "Let the agent try once to prove the lemma.", False),
    Command("hundred", "H", "100", "Let the agent try a hundred times.", False),
    Command("play", "g", "Go", "Let the agent try again and again, until you press this once more."),
    Command("faster", "plus,equals_sign", "Faster", "Let the agent make more moves a second.", False),
    Command("slower", "minus", "Slower", "Let the agent make fewer moves a second.", False),
    Command("beliefs", "q", "Ask", "Ask what the agent makes of this state, or no longer."),
    Command("panel", "t", "Turn", "Turn to the agent's place, its learning curve, and back.", False),
    Command("take_over", "V", "Take over", "Go on from where the agent stands; its moves cost as hints do.", False),
    Command("hand_over", "Y", "Yours", "Let the agent's next try begin where you stand.", False),
    Command("show_proof", "d", "Show it", "Let the agent learn from your proof once more.", False),
    Command("learner", "l", "Learner", "Switch how the agent learns; it begins anew.", False),
    Command("exploration", "E", "Explore", "Switch how often the agent tries something at random.", False),
    Command("reward", "R", "Reward", "Switch what the agent is rewarded for; it begins anew.", False),
    Command("state_space", "S", "States", "Switch which states are the same to the agent; it begins anew.", False),
    Command("actions", "A", "Moves", "Switch which moves the agent is offered; it begins anew.", False),
    Command("other_agent", "tab", "Other", "Switch the settings of the other agent from now on.", False),
    # The class.
    Command("students", "1", "Students", "See who is where, and what each student has done.", False),
    Command("problems", "2", "Problems", "See how each problem went.", False),
    Command("mistakes", "3", "Mistakes", "See the wrong moves at the problem under the cursor.", False),
    Command("exercises", "4", "Lesson", "See what is wrong with the lesson, and its shortest proofs.", False),
    Command("sort", "o", "Sort", "Sort by the next column."),
    Command("turn_round", "v", "Reverse", "Sort the other way round.", False),
    Command("renew", "g", "Renew", "Read everything again at once.", False),
    Command("save_students", "s", "Students.csv", "Save what each student has done as a spreadsheet."),
    Command("save_problems", "p", "Problems.csv", "Save how each problem went as a spreadsheet."),
    Command("add_students", "a", "Add", "Put students on the list, each with a passphrase.", False),
    Command("new_passphrase", "w", "Forgotten", "Give the student under the cursor another passphrase.", False),
    Command("rename_student", "e", "Rename", "Correct the name of the student under the cursor.", False),
    Command("dismiss_student", "x", "Dismiss", "Take the student under the cursor off the list.", False),
    Command("lock", "k", "Lock", "Lock the class until the passphrase is typed again."),
    # What a student did.
    Command("back", "escape", "Back", "Go back to where you came from."),
    Command("earlier", "p,left", "Earlier", "See the attempt before this one."),
    Command("later", "n,right", "Later", "See the attempt after this one."),
    # A student's own work.
    Command("history", "h", "Look back", "See what you did, attempt by attempt and move by move.", False),
    Command("export_work", "e", "Take along", "Save everything that you have done as a file.", False),
    Command("import_work", "i", "Bring back", "Read what you took along, here or elsewhere.", False),
    Command("passphrase", "p", "Passphrase", "Choose a passphrase, or another one.", False),
    Command("theme", "t", "Colours", "Choose other colours.", False),
    Command("store", "s", "Store", "Try once more to store what could not be stored.", False),
    Command("sign_out", "o", "Sign out", "Leave your seat to somebody else; your work is saved.", False),
    Command("unfocus", "escape", "Keys", "Stop typing, so that keys are commands again.", False),
)
COMMANDS: Final = {command.name: command for command in _TABLE}
"""Every command by its name."""

PLACES: Final = ("learn", "prove", "together", "watch", "teach", "data")
"""The commands that lead to a place, which is called as they are."""


def bindings(*names: str) -> list[BindingType]:
    """The keys of some commands; they keep the command's name as an id, so that other keys can be given."""
    return [
        Binding(
            command.keys,
            f"go('{command.name}')" if command.name in PLACES else command.name,
            command.label,
            show=command.in_footer,
            tooltip=command.about,
            id=command.name,
        )
        for command in map(COMMANDS.__getitem__, names)
    ]


def move_keys(taken: set[str]) -> str:
    """One key for each move on offer, in their order: digits first, then letters that do nothing else."""
    return "".join(key for key in digits[1:] + digits[0] + ascii_lowercase if key not in taken)


def check_keys(keys: Mapping[str, str]) -> None:
    """Raises InputError unless these are keys for commands that there are."""
    for name, key in keys.items():
        if name not in COMMANDS:
            rather = did_you_mean(name, list(COMMANDS), f"the commands are {', '.join(COMMANDS)}.")
            raise InputError(f"{name!r} is no command that could have a key; {rather}")
        if not isinstance(key, str) or not key:
            raise InputError(f"The key of {name} must be text, such as 'u' or 'ctrl+z', not {key!r}.")
