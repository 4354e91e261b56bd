"""Everything that can be done with a key, by name: one table for keys, footer, command palette and help.

A screen says which of these it has (`bindings`) and what they do (a method `action_…` of the same name). A person may
give a command other keys; its name is what they know it by.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters, digits
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
    Command("together", "T", "Together", "Work on this lemma beside a partner.", False),
    Command("watch", "W", "Watch", "Watch two partners on the same lemma.", False),
    Command("data", "D", "Data", "Take your work along, or bring it back.", False),
    Command("rules", "I", "Tactics", "Read what the signs mean and what each of the twelve tactics does.", False),
    Command("tour", "F", "First look", "Be shown once more where things are and how one proves.", False),
    Command("has_read", "M", "Noted", "Say that you have read what your teacher has sent you.", False),
    Command("help", "question_mark,f1", "Help", "Explain this screen, all its keys, and the way out."),
    Command("leave", "Q", "Leave", "Leave the classroom; your work is saved.", False),
    # A proof.
    Command(
        "undo",
        "u",
        "Undo",
        "Take back the last move; where slips count this is one, and every second one costs a point.",
    ),
    Command("redo", "r", "Redo", "Make the move again that was taken back."),
    Command("restart", "b", "Restart", "Go back to the beginning of the proof.", False),
    Command("hint", "h", "Hint", "Ask for a hint; each time in one place says more and costs a little."),
    Command("preview", "v", "Preview", "Tell what a move on the selected formula would leave."),
    Command("type", "slash,colon", "Type", "Type a tactic."),
    Command("list", "m", "List", "List the moves that apply, which costs as much as five hints."),
    Command("claim", "x", "No proof", "Say that this lemma has no proof at all."),
    Command("why", "c", "Why not", "Show a countermodel: why this can no longer be proved.", False),
    Command("tree", "t", "Tree", "Show the proof as a tree, or the steps again."),
    Command("whole", "w", "Whole proof", "See the finished proof as a tree, in boxes, or in words.", False),
    Command("as_tree", "1", "Tree", "Show the proof as a tree of goals.", False),
    Command("as_boxes", "2", "Fitch", "Show the proof in numbered lines and boxes, after Fitch.", False),
    Command("as_words", "3", "In words", "Show the proof in words.", False),
    Command("rule", "i", "Rule", "Explain the tactic that is highlighted.", False),
    Command("save_proof", "e", "Save", "Save the finished proof for Coq, Lean, LaTeX or as a picture.", False),
    Command("another", "a", "Again", "Begin the same lemma once more.", False),
    Command("following", "n", "Next", "Go on to the next lemma."),
    # Partners.
    Command("step", "space", "Step", "Let the partner make one move."),
    Command("episode", "o", "Once", "Let the partner try once to prove the lemma.", False),
    Command("hundred", "H", "100", "Let the partner try a hundred times.", False),
    Command("play", "g", "Go", "Let the partner try again and again, until you press this once more."),
    Command("faster", "plus,equals_sign", "Faster", "Let the partner make more moves a second.", False),
    Command("slower", "minus", "Slower", "Let the partner make fewer moves a second.", False),
    Command("beliefs", "q", "Ask", "Ask what the partner makes of each state from now on, or no longer."),
    Command("partner", "B", "Partner", "Sit down beside another partner: one that learns, escalates, or knows.", False),
    Command("why_it", "X", "Its why", "Ask the partner why it would make its move, and what it looked at.", False),
    Command("panel", "t", "Turn", "Turn to another panel where there is no room for all of them.", False),
    Command("take_over", "V", "Take over", "Go on from where the partner stands; its moves cost as hints do.", False),
    Command("hand_over", "Y", "Yours", "Let the partner's next try begin where you stand.", False),
    Command("show_proof", "d", "Show it", "Let the partner learn from your proof once more.", False),
    Command("learner", "l", "Learner", "Switch how the partner learns; it begins anew.", False),
    Command("exploration", "E", "Explore", "Switch how often the partner tries something at random.", False),
    Command("step_size", "K", "Step size", "Switch how far a value goes toward what was just seen.", False),
    Command("discount", "G", "Discount", "Switch how much less a later reward counts; the partner begins anew.", False),
    Command("first_values", "O", "First Q", "Switch what a move counts that was never tried; it begins anew.", False),
    Command("reward", "R", "Reward", "Switch what the partner is rewarded for; it begins anew.", False),
    Command("state_space", "S", "States", "Switch which states are the same to the partner; it begins anew.", False),
    Command("actions", "A", "Moves", "Switch which moves the partner is offered; it begins anew.", False),
    Command("other_agent", "tab", "Other", "Switch the settings of the other partner from now on.", False),
    Command("done_lemma", "n", "Done one", "Watch the lemma that you did last, at no price, or this one again.", False),
    Command("unlearning", "U", "Unlearning", "Watch how a reward unteaches a proof, or this lemma again.", False),
    # The class.
    Command("students", "1", "Students", "See who is where, and what each student has done.", False),
    Command("problems", "2", "Problems", "See how each problem went.", False),
    Command(
        "mistakes",
        "3",
        "Mistakes",
        "See the wrong moves where most were made, or at the problem under the cursor.",
        False,
    ),
    Command("exercises", "4", "Lesson", "See what is wrong with the lesson, and its shortest proofs.", False),
    Command("failing", "5", "Failing now", "See at which states students are failing now, and what they try.", False),
    Command("new_lesson", "n", "New lesson", "Paste a sheet of exercises, and save the lesson that can be made of it."),
    Command("sort", "o", "Sort", "Sort by the next column."),
    Command("turn_round", "v", "Reverse", "Sort the other way round."),
    Command("one_lesson", "l", "One lesson", "Look at the next lesson alone, and after the last one at all of them."),
    Command("one_group", "G", "One group", "Look at the next group alone, and after the last one at the whole class."),
    Command("renew", "g", "Renew", "Read everything again at once."),
    Command("save_class", "c", "Class.csv", "Save a line for each student as a spreadsheet."),
    Command("save_students", "s", "Students.csv", "Save what each student has done as a spreadsheet."),
    Command("save_problems", "p", "Problems.csv", "Save how each problem went as a spreadsheet."),
    Command("show_results", "r", "Show points", "Have the students see the points of the exam, after it."),
    Command("add_students", "a", "Add", "Put students on the list, each with a passphrase."),
    Command("new_passphrase", "w", "Forgotten", "Give the student under the cursor another passphrase."),
    Command("rename_student", "e", "Rename", "Correct the name of the student under the cursor."),
    Command("end_tabs", "t", "End tabs", "Sign the student under the cursor out of all tabs.", False),
    Command("dismiss_student", "x", "Dismiss", "Take the student under the cursor off the list."),
    Command("erase_student", "X", "Erase", "Delete the student under the cursor with all work for good."),
    Command("maxims", "m", "Learned", "Read what the agents have learned, in words; write and strike it."),
    Command("write_maxim", "a", "Write", "Write a maxim of your own."),
    Command("change_maxim", "e", "Change", "Change the maxim under the cursor."),
    Command("strike_maxim", "x", "Strike", "Strike the maxim under the cursor."),
    Command("lock", "k", "Sign out", "Lock the class, and let somebody else come in."),
    Command("send_note", "s", "Send", "Send these students, and no others, a sentence or a lemma."),
    # What a student did.
    Command("leave_note", "w", "Write", "Write a word at this moment, which its student is told of and sees here."),
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
)
COMMANDS: Final = {command.name: command for command in _TABLE}
"""Every command by its name."""

PLACES: Final = ("learn", "prove", "together", "watch", "data")
"""The commands that lead to a place, which is called as they are."""

SWITCHED: Final = {
    "learner": "learner",
    "exploration": "epsilon",
    "step_size": "alpha",
    "discount": "gamma",
    "first_values": "initial_value",
    "reward": "reward",
    "state_space": "state_space",
    "actions": "actions",
}
"""The setting of a partner that a command switches."""
_ACTIONS: Final = {place: f"go('{place}')" for place in PLACES} | {
    command: f"switch('{setting}')" for command, setting in SWITCHED.items()
}
"""What a command does, if that is not called as the command is."""


def bindings(*names: str) -> list[BindingType]:
    """The keys of some commands; they keep the command's name as an id, so that other keys can be given."""
    return [
        Binding(
            command.keys,
            _ACTIONS.get(command.name, command.name),
            command.label,
            show=command.in_footer,
            tooltip=command.about,
            id=command.name,
        )
        for command in map(COMMANDS.__getitem__, names)
    ]


def move_keys(taken: set[str]) -> str:
    """One key for each move on offer, in their order: digits first, then letters that do nothing else."""
    return "".join(key for key in digits[1:] + digits[0] + ascii_letters if key not in taken)


def check_keys(keys: Mapping[str, str]) -> None:
    """Raises InputError unless these are keys for commands that there are."""
    for name, key in keys.items():
        if name not in COMMANDS:
            rather = did_you_mean(name, list(COMMANDS), f"the commands are {', '.join(COMMANDS)}.")
            raise InputError(f"{name!r} is no command that could have a key; {rather}")
        if not isinstance(key, str) or not key:
            raise InputError(f"The key of {name} must be text, such as 'u' or 'ctrl+z', not {key!r}.")
