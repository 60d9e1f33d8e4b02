// SPDX-License-Identifier: MIT
// Reads node names.
//
// A name is split into words at separators, changes of case and digits: "mixamorig:LeftUpLeg" is left, up, leg. Words
// that name a side are removed. The rest is joined and looked up. If it isn't known, the first word is dropped, and so
// on. So a file's prefixes don't have to be known.
#include "humanoid/humanoid_name.h"

#include <string.h>

// ---- Words ---------------------------------------------------------------------------------------------------

#define MAX_WORDS  12
#define MAX_LETTER 40 // in all words of a name; longer names aren't known

typedef struct name_words {
    int32_t count;
    char text[MAX_LETTER + MAX_WORDS]; // the words, each with a terminating zero
    int32_t starts[MAX_WORDS];
    char digit; // the first digit after the last word; 0 if there isn't one
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

// FBX encodes characters that it doesn't allow: "HandFBXASC046L" is "Hand.L". Returns false if the name is
// too long to be known.
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

// Returns false if the name is too long to be known.
static bool split_words(const char *name, name_words *words) {
    int32_t length = 0;
    words->count = 0;
    words->digit = 0;
    for (size_t i = 0; name[i]; i++) {
        const char c = name[i];
        if (is_digit(c) && !words->digit) words->digit = c;
        if (!sinewi_is_letter(c)) continue;
        if (sinewi_starts_word(name, i)) {
            if (words->count == MAX_WORDS) return false;
            if (words->count > 0) words->text[length++] = 0;
            words->starts[words->count++] = length;
            words->digit = 0;
        }
        if (length - (words->count - 1) >= MAX_LETTER) return false; // not counting the zeros between words
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

// Removes the side from a word: the whole word, or "left" from the start of "leftarm".
static sinewi_body_side take_side_of_word(name_words *words, int32_t index) {
    const size_t length = strlen(word_at(words, index));
    const sinewi_side_word found = sinewi_side_word_read(word_at(words, index), length);
    if (found.length == length) {
        remove_word(words, index);
    } else {
        words->starts[index] += (int32_t)found.length;
    }
    return found.side;
}

// Removes the words that name a side. Two that disagree count as no side.
static sinewi_body_side take_side(name_words *words) {
    sinewi_body_side side = SINEWI_SIDE_NONE;
    bool agrees = true;
    for (int32_t i = words->count - 1; i >= 0; i--) {
        const sinewi_body_side found = take_side_of_word(words, i);
        if (found == SINEWI_SIDE_NONE) continue;
        if (side != SINEWI_SIDE_NONE && side != found) agrees = false;
        side = found;
    }
    return agrees ? side : SINEWI_SIDE_NONE;
}

// ---- Parts ---------------------------------------------------------------------------------------------------

typedef struct part_name {
    const char *name;
    sinewi_body_part part;
} part_name;

// Published joint names, as joined words in lower case: from Mixamo, Unreal's mannequin, Unity, Blender's metarig, 3ds
// Max Biped, VRM, BVH files by CMU and Ubisoft's LAFAN1, Daz Genesis, Character Creator, KayKit and Quaternius.
static const part_name part_names[] = {
    {"hips", SINEWI_PART_HIPS},
    {"hip", SINEWI_PART_HIPS},
    {"pelvis", SINEWI_PART_HIPS},
    {"spine", SINEWI_PART_SPINE},
    {"spinelower", SINEWI_PART_SPINE},
    {"spinemiddle", SINEWI_PART_SPINE},
    {"spineupper", SINEWI_PART_SPINE},
    {"lowerspine", SINEWI_PART_SPINE},
    {"upperspine", SINEWI_PART_SPINE},
    {"back", SINEWI_PART_SPINE},
    {"lowerback", SINEWI_PART_SPINE},
    {"upperback", SINEWI_PART_SPINE},
    {"waist", SINEWI_PART_SPINE},
    {"abdomen", SINEWI_PART_SPINE},
    {"abdomenlower", SINEWI_PART_SPINE},
    {"abdomenupper", SINEWI_PART_SPINE},
    {"stomach", SINEWI_PART_SPINE},
    {"belly", SINEWI_PART_SPINE},
    {"torso", SINEWI_PART_SPINE},
    {"ribs", SINEWI_PART_SPINE},
    {"ribcage", SINEWI_PART_SPINE},
    {"chest", SINEWI_PART_SPINE},
    {"chestlower", SINEWI_PART_SPINE},
    {"chestupper", SINEWI_PART_SPINE},
    {"upperchest", SINEWI_PART_SPINE},
    {"neck", SINEWI_PART_NECK},
    {"necklower", SINEWI_PART_NECK},
    {"neckupper", SINEWI_PART_NECK},
    {"necktwist", SINEWI_PART_NECK}, // Character Creator has no other neck
    {"head", SINEWI_PART_HEAD},
    {"jaw", SINEWI_PART_JAW},
    {"jawroot", SINEWI_PART_JAW},
    {"lowerjaw", SINEWI_PART_JAW},
    {"eye", SINEWI_PART_EYE},
    {"eyeball", SINEWI_PART_EYE},
    {"upperleg", SINEWI_PART_UPPER_LEG},
    {"upleg", SINEWI_PART_UPPER_LEG},
    {"legupper", SINEWI_PART_UPPER_LEG},
    {"thigh", SINEWI_PART_UPPER_LEG},
    {"leg", SINEWI_PART_LEG},
    {"lowerleg", SINEWI_PART_LOWER_LEG},
    {"lowleg", SINEWI_PART_LOWER_LEG},
    {"leglower", SINEWI_PART_LOWER_LEG},
    {"calf", SINEWI_PART_LOWER_LEG},
    {"shin", SINEWI_PART_LOWER_LEG},
    {"knee", SINEWI_PART_LOWER_LEG},
    {"foot", SINEWI_PART_FOOT},
    {"ankle", SINEWI_PART_ANKLE},
    {"toe", SINEWI_PART_TOES},
    {"toes", SINEWI_PART_TOES},
    {"toebase", SINEWI_PART_TOES},
    {"ball", SINEWI_PART_TOES},
    {"clavicle", SINEWI_PART_COLLAR},
    {"collar", SINEWI_PART_COLLAR},
    {"collarbone", SINEWI_PART_COLLAR},
    {"shoulder", SINEWI_PART_SHOULDER},
    {"shldr", SINEWI_PART_SHOULDER},
    {"upperarm", SINEWI_PART_UPPER_ARM},
    {"uparm", SINEWI_PART_UPPER_ARM},
    {"armupper", SINEWI_PART_UPPER_ARM},
    {"arm", SINEWI_PART_ARM},
    {"lowerarm", SINEWI_PART_LOWER_ARM},
    {"lowarm", SINEWI_PART_LOWER_ARM},
    {"armlower", SINEWI_PART_LOWER_ARM},
    {"forearm", SINEWI_PART_LOWER_ARM},
    {"elbow", SINEWI_PART_ELBOW},
    {"hand", SINEWI_PART_HAND},
    {"wrist", SINEWI_PART_WRIST},
    {"palm", SINEWI_PART_HAND},
    {"fist", SINEWI_PART_HAND},
    {"thumb", SINEWI_PART_THUMB},
    {"index", SINEWI_PART_INDEX},
    {"middle", SINEWI_PART_MIDDLE},
    {"mid", SINEWI_PART_MIDDLE},
    {"ring", SINEWI_PART_RING},
    {"little", SINEWI_PART_LITTLE},
    {"pinky", SINEWI_PART_LITTLE},
};

static sinewi_body_part find_part(const char *joined) {
    for (size_t i = 0; i < sizeof part_names / sizeof *part_names; i++)
        if (strcmp(joined, part_names[i].name) == 0) return part_names[i].part;
    return SINEWI_PART_NONE;
}

// Joins the words from `first` on.
static void join_words(const name_words *words, int32_t first, char *joined) {
    for (int32_t i = first; i < words->count; i++)
        for (const char *c = word_at(words, i); *c; c++) *joined++ = *c;
    *joined = 0;
}

// Finds the part that the last words name.
static sinewi_body_part part_of_words(const name_words *words) {
    for (int32_t first = 0; first < words->count; first++) {
        char joined[MAX_LETTER + MAX_WORDS];
        join_words(words, first, joined);
        const sinewi_body_part part = find_part(joined);
        if (part != SINEWI_PART_NONE) return part;
    }
    return SINEWI_PART_NONE;
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

// 3ds Max Biped numbers fingers: Finger0 is the thumb, and Finger01 is its second joint. Others name
// them: "index finger".
static sinewi_body_part part_of_finger(name_words *words) {
    words->count--;
    const sinewi_body_part part = part_of_words(words);
    if (part != SINEWI_PART_NONE || words->digit < '0' || words->digit > '4') return part;
    return (sinewi_body_part)(SINEWI_PART_THUMB + (words->digit - '0'));
}

// ---- Helpers -------------------------------------------------------------------------------------------------

// Whether a word names a helper, not a joint that moves the body.
static bool has_helper_word(const name_words *words, sinewi_body_part part) {
    static const char *const helpers[] = {"ik",    "fk",     "target", "pole", "ctrl",   "control",  "controller",
                                          "roll",  "helper", "end",    "nub",  "tip",    "mch",      "org",
                                          "tweak", "vis",    "socket", "slot", "attach", "weapon",   "prop",
                                          "mesh",  "geo",    "parent", "site", "offset", "effector", NULL};
    for (int32_t i = 0; i < words->count; i++) {
        const char *word = word_at(words, i);
        if (is_one_of(word, helpers)) return true;
        if (strcmp(word, "twist") == 0 && part != SINEWI_PART_NECK) return true;
        // The other fingers' metacarpals are inside the palm. "LeftInHandIndex" is one of them.
        if (strcmp(word, "metacarpal") == 0 && part != SINEWI_PART_THUMB) return true;
        if (strcmp(word, "in") == 0) return true;
    }
    return false;
}

// ---- The name ------------------------------------------------------------------------------------------------

// The part, considering its side: "hip" with a side is a leg joint, and limbs have sides.
static sinewi_body_part part_with_side(sinewi_body_part part, sinewi_body_side side) {
    if (part >= SINEWI_PART_EYE) return side == SINEWI_SIDE_NONE ? SINEWI_PART_NONE : part;
    if (side == SINEWI_SIDE_NONE) return part;
    return part == SINEWI_PART_HIPS ? SINEWI_PART_HIP_JOINT : SINEWI_PART_NONE;
}

// Removes "l" or "r" from the last word if only the rest is a part, like in "lupperarm". "leg" and "ring"
// are parts already.
static sinewi_body_side take_letter(name_words *words) {
    const int32_t last = words->count - 1;
    const char letter = words->count > 0 ? word_at(words, last)[0] : '\0';
    if ((letter != 'l' && letter != 'r') || find_part(word_at(words, last) + 1) == SINEWI_PART_NONE)
        return SINEWI_SIDE_NONE;
    words->starts[last]++;
    return letter == 'l' ? SINEWI_SIDE_LEFT : SINEWI_SIDE_RIGHT;
}

static sinewi_body_part part_of_name(name_words *words) {
    return is_last_word(words, "finger") ? part_of_finger(words) : part_of_words(words);
}

sinewi_node_name sinewi_humanoid_name_read(const char *name) {
    sinewi_node_name read = {SINEWI_PART_NONE, SINEWI_SIDE_NONE};
    name_words words, parts;
    char decoded[256];
    if (!decode_name(without_namespace(name), decoded, sizeof decoded) || !split_words(decoded, &words))
        return read;
    sinewi_body_side side = take_side(&words);
    parts = words;
    drop_endings(&parts);
    sinewi_body_part named = part_of_name(&parts);
    if (named == SINEWI_PART_NONE && side == SINEWI_SIDE_NONE) {
        side = take_letter(&parts);
        if (side != SINEWI_SIDE_NONE) named = part_of_name(&parts);
    }
    if (named == SINEWI_PART_NONE || has_helper_word(&words, named)) return read;
    const sinewi_body_part part = part_with_side(named, side);
    if (part == SINEWI_PART_NONE) return read;
    read.part = (uint8_t)part;
    read.side = (uint8_t)side;
    return read;
}
