// SPDX-License-Identifier: MIT
// Reads the names of nodes.
//
// A name is split into words at separators, at changes of case and at digits: "mixamorig:LeftUpLeg" is left, up, leg. Words
// that name a side are taken out; what is left, joined, is looked up. If it is not known, the first word is dropped, and
// so on: prefixes of a file need not be known.
#include "retarget/humanoid_name.h"

#include <string.h>

// ---- Words ---------------------------------------------------------------------------------------------------

#define MAX_WORDS  12
#define MAX_LETTER 40 // of all words of a name; longer names are not known

typedef struct name_words {
    int32_t count;
    char text[MAX_LETTER + MAX_WORDS]; // the words, each with a zero
    int32_t starts[MAX_WORDS];
    char digit; // the first digit after the last word; 0: none
} name_words;

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The name without its namespaces, which end with : or |.
static const char *without_namespace(const char *name) {
    const char *start = name;
    for (; *name; name++)
        if ((*name == ':' || *name == '|') && name[1]) start = name + 1;
    return start;
}

// FBX writes characters that it does not allow by their codes: "HandFBXASC046L" is "Hand.L". False for a name that is too long
// to be known.
static bool decode_name(const char *name, char *decoded, size_t size) {
    static const char mark[] = "FBXASC";
    size_t length = 0;
    while (*name && length + 1 < size) {
        const char *code = name + sizeof mark - 1;
        const bool is_code = strncmp(name, mark, sizeof mark - 1) == 0 && is_digit(code[0]) && is_digit(code[1]) &&
                             is_digit(code[2]);
        const int value = is_code ? 100 * (code[0] - '0') + 10 * (code[1] - '0') + (code[2] - '0') : *name;
        decoded[length++] = (char)(value > 0 && value < 128 ? value : is_code ? '_' : *name);
        name = is_code ? code + 3 : name + 1;
    }
    decoded[length] = 0;
    return *name == 0;
}

// Returns false for a name that is too long to be known.
static bool split_words(const char *name, name_words *words) {
    int32_t length = 0;
    words->count = 0;
    words->digit = 0;
    for (size_t i = 0; name[i]; i++) {
        const char c = name[i];
        if (is_digit(c) && !words->digit) words->digit = c;
        if (!sinew_is_letter(c)) continue;
        if (sinew_starts_word(name, i)) {
            if (words->count == MAX_WORDS) return false;
            if (words->count > 0) words->text[length++] = 0;
            words->starts[words->count++] = length;
            words->digit = 0;
        }
        if (length - (words->count - 1) >= MAX_LETTER) return false; // without the zeros between words
        words->text[length++] = is_upper(c) ? (char)(c - 'A' + 'a') : c;
    }
    words->text[length] = 0;
    return words->count > 0;
}

static const char *word_at(const name_words *words, int32_t index) {
    return words->text + words->starts[index];
}

static void remove_word(name_words *words, int32_t index) {
    words->count--;
    for (int32_t i = index; i < words->count; i++) words->starts[i] = words->starts[i + 1];
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

// ---- Sides ---------------------------------------------------------------------------------------------------

// Takes what names a side out of a word: the whole word, or "left" off the start of "leftarm".
static sinew_body_side take_side_of_word(name_words *words, int32_t index) {
    const size_t length = strlen(word_at(words, index));
    const sinew_side_word found = sinew_side_word_read(word_at(words, index), length);
    if (found.length == length) {
        remove_word(words, index);
    } else {
        words->starts[index] += (int32_t)found.length;
    }
    return found.side;
}

// Takes the words that name a side out. Two that disagree are no side.
static sinew_body_side take_side(name_words *words) {
    sinew_body_side side = SINEW_SIDE_NONE;
    bool agrees = true;
    for (int32_t i = words->count - 1; i >= 0; i--) {
        const sinew_body_side found = take_side_of_word(words, i);
        if (found == SINEW_SIDE_NONE) continue;
        if (side != SINEW_SIDE_NONE && side != found) agrees = false;
        side = found;
    }
    return agrees ? side : SINEW_SIDE_NONE;
}

// ---- Parts ---------------------------------------------------------------------------------------------------

typedef struct part_name {
    const char *name;
    sinew_body_part part;
} part_name;

// Published names of joints, as words in lower case, joined: those of Mixamo, Unreal's mannequin, Unity, Blender's metarig,
// 3ds Max Biped, VRM, BVH files of CMU and Ubisoft's LAFAN1, Daz Genesis, Character Creator, KayKit and Quaternius.
static const part_name part_names[] = {
    {"hips", SINEW_PART_HIPS},
    {"hip", SINEW_PART_HIPS},
    {"pelvis", SINEW_PART_HIPS},
    {"spine", SINEW_PART_SPINE},
    {"spinelower", SINEW_PART_SPINE},
    {"spinemiddle", SINEW_PART_SPINE},
    {"spineupper", SINEW_PART_SPINE},
    {"lowerspine", SINEW_PART_SPINE},
    {"upperspine", SINEW_PART_SPINE},
    {"back", SINEW_PART_SPINE},
    {"lowerback", SINEW_PART_SPINE},
    {"upperback", SINEW_PART_SPINE},
    {"waist", SINEW_PART_SPINE},
    {"abdomen", SINEW_PART_SPINE},
    {"abdomenlower", SINEW_PART_SPINE},
    {"abdomenupper", SINEW_PART_SPINE},
    {"stomach", SINEW_PART_SPINE},
    {"belly", SINEW_PART_SPINE},
    {"torso", SINEW_PART_SPINE},
    {"ribs", SINEW_PART_SPINE},
    {"ribcage", SINEW_PART_SPINE},
    {"chest", SINEW_PART_SPINE},
    {"chestlower", SINEW_PART_SPINE},
    {"chestupper", SINEW_PART_SPINE},
    {"upperchest", SINEW_PART_SPINE},
    {"neck", SINEW_PART_NECK},
    {"necklower", SINEW_PART_NECK},
    {"neckupper", SINEW_PART_NECK},
    {"necktwist", SINEW_PART_NECK}, // Character Creator has no other neck
    {"head", SINEW_PART_HEAD},
    {"jaw", SINEW_PART_JAW},
    {"jawroot", SINEW_PART_JAW},
    {"lowerjaw", SINEW_PART_JAW},
    {"eye", SINEW_PART_EYE},
    {"eyeball", SINEW_PART_EYE},
    {"upperleg", SINEW_PART_UPPER_LEG},
    {"upleg", SINEW_PART_UPPER_LEG},
    {"legupper", SINEW_PART_UPPER_LEG},
    {"thigh", SINEW_PART_UPPER_LEG},
    {"leg", SINEW_PART_LEG},
    {"lowerleg", SINEW_PART_LOWER_LEG},
    {"lowleg", SINEW_PART_LOWER_LEG},
    {"leglower", SINEW_PART_LOWER_LEG},
    {"calf", SINEW_PART_LOWER_LEG},
    {"shin", SINEW_PART_LOWER_LEG},
    {"knee", SINEW_PART_LOWER_LEG},
    {"foot", SINEW_PART_FOOT},
    {"ankle", SINEW_PART_ANKLE},
    {"toe", SINEW_PART_TOES},
    {"toes", SINEW_PART_TOES},
    {"toebase", SINEW_PART_TOES},
    {"ball", SINEW_PART_TOES},
    {"clavicle", SINEW_PART_COLLAR},
    {"collar", SINEW_PART_COLLAR},
    {"collarbone", SINEW_PART_COLLAR},
    {"shoulder", SINEW_PART_SHOULDER},
    {"shldr", SINEW_PART_SHOULDER},
    {"upperarm", SINEW_PART_UPPER_ARM},
    {"uparm", SINEW_PART_UPPER_ARM},
    {"armupper", SINEW_PART_UPPER_ARM},
    {"arm", SINEW_PART_ARM},
    {"lowerarm", SINEW_PART_LOWER_ARM},
    {"lowarm", SINEW_PART_LOWER_ARM},
    {"armlower", SINEW_PART_LOWER_ARM},
    {"forearm", SINEW_PART_LOWER_ARM},
    {"elbow", SINEW_PART_ELBOW},
    {"hand", SINEW_PART_HAND},
    {"wrist", SINEW_PART_WRIST},
    {"palm", SINEW_PART_HAND},
    {"fist", SINEW_PART_HAND},
    {"thumb", SINEW_PART_THUMB},
    {"index", SINEW_PART_INDEX},
    {"middle", SINEW_PART_MIDDLE},
    {"mid", SINEW_PART_MIDDLE},
    {"ring", SINEW_PART_RING},
    {"little", SINEW_PART_LITTLE},
    {"pinky", SINEW_PART_LITTLE},
};

static sinew_body_part find_part(const char *joined) {
    for (size_t i = 0; i < sizeof part_names / sizeof *part_names; i++)
        if (strcmp(joined, part_names[i].name) == 0) return part_names[i].part;
    return SINEW_PART_NONE;
}

// Joins the words from `first` on.
static void join_words(const name_words *words, int32_t first, char *joined) {
    for (int32_t i = first; i < words->count; i++)
        for (const char *c = word_at(words, i); *c; c++) *joined++ = *c;
    *joined = 0;
}

// Finds the part that the last words name.
static sinew_body_part part_of_words(const name_words *words) {
    for (int32_t first = 0; first < words->count; first++) {
        char joined[MAX_LETTER + MAX_WORDS];
        join_words(words, first, joined);
        const sinew_body_part part = find_part(joined);
        if (part != SINEW_PART_NONE) return part;
    }
    return SINEW_PART_NONE;
}

static bool is_last_word(const name_words *words, const char *word) {
    return words->count > 0 && strcmp(word_at(words, words->count - 1), word) == 0;
}

// Drops what follows the part: "LHipJoint", "lThighBend", "L_hand0001_bind_JNT", "index-finger-phalanx-proximal".
static void drop_endings(name_words *words) {
    static const char *const endings[] = {"joint",   "jnt",      "bone",         "bend",   "bind",       "def",
                                          "phalanx", "proximal", "intermediate", "distal", "metacarpal", NULL};
    while (words->count > 1 && is_one_of(word_at(words, words->count - 1), endings)) words->count--;
}

// 3ds Max Biped numbers the fingers: Finger0 is the thumb, Finger01 its second joint. Others name them: "index finger".
static sinew_body_part part_of_finger(name_words *words) {
    words->count--;
    const sinew_body_part part = part_of_words(words);
    if (part != SINEW_PART_NONE || words->digit < '0' || words->digit > '4') return part;
    return (sinew_body_part)(SINEW_PART_THUMB + (words->digit - '0'));
}

// ---- Helpers -------------------------------------------------------------------------------------------------

// Whether a word names a helper instead of a joint that moves the body.
static bool has_helper_word(const name_words *words, sinew_body_part part) {
    static const char *const helpers[] = {"ik",    "fk",     "target", "pole", "ctrl",   "control",  "controller",
                                          "roll",  "helper", "end",    "nub",  "tip",    "mch",      "org",
                                          "tweak", "vis",    "socket", "slot", "attach", "weapon",   "prop",
                                          "mesh",  "geo",    "parent", "site", "offset", "effector", NULL};
    for (int32_t i = 0; i < words->count; i++) {
        const char *word = word_at(words, i);
        if (is_one_of(word, helpers)) return true;
        if (strcmp(word, "twist") == 0 && part != SINEW_PART_NECK) return true;
        // The metacarpals of the other fingers are in the palm. "LeftInHandIndex" is one, too.
        if (strcmp(word, "metacarpal") == 0 && part != SINEW_PART_THUMB) return true;
        if (strcmp(word, "in") == 0) return true;
    }
    return false;
}

// ---- The name ------------------------------------------------------------------------------------------------

// The part with regard to its side: "hip" with a side is a joint of the leg, and limbs have sides.
static sinew_body_part part_with_side(sinew_body_part part, sinew_body_side side) {
    if (part >= SINEW_PART_EYE) return side == SINEW_SIDE_NONE ? SINEW_PART_NONE : part;
    if (side == SINEW_SIDE_NONE) return part;
    return part == SINEW_PART_HIPS ? SINEW_PART_HIP_JOINT : SINEW_PART_NONE;
}

// Takes "l" or "r" off the last word if only the rest is a part: "lupperarm". "leg" and "ring" are parts themselves.
static sinew_body_side take_letter(name_words *words) {
    const int32_t last = words->count - 1;
    const char letter = words->count > 0 ? word_at(words, last)[0] : '\0';
    if ((letter != 'l' && letter != 'r') || find_part(word_at(words, last) + 1) == SINEW_PART_NONE)
        return SINEW_SIDE_NONE;
    words->starts[last]++;
    return letter == 'l' ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
}

static sinew_body_part part_of_name(name_words *words) {
    return is_last_word(words, "finger") ? part_of_finger(words) : part_of_words(words);
}

sinew_node_name sinew_humanoid_name_read(const char *name) {
    sinew_node_name read = {SINEW_PART_NONE, SINEW_SIDE_NONE};
    name_words words, parts;
    char decoded[256];
    if (!decode_name(without_namespace(name), decoded, sizeof decoded) || !split_words(decoded, &words))
        return read;
    sinew_body_side side = take_side(&words);
    parts = words;
    drop_endings(&parts);
    sinew_body_part named = part_of_name(&parts);
    if (named == SINEW_PART_NONE && side == SINEW_SIDE_NONE) {
        side = take_letter(&parts);
        if (side != SINEW_SIDE_NONE) named = part_of_name(&parts);
    }
    if (named == SINEW_PART_NONE || has_helper_word(&words, named)) return read;
    const sinew_body_part part = part_with_side(named, side);
    if (part == SINEW_PART_NONE) return read;
    read.part = (uint8_t)part;
    read.side = (uint8_t)side;
    return read;
}
