// conformance_main.c - writes the conformance set: make-conformance OUTDIR
// It prints the table of docs/conformance.md.
#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const conformance_group *const groups[] = {
    &key_cases,        &node_cases,  &skin_cases,  &number_cases,
    &compressed_cases, &morph_cases, &scene_cases, &container_cases,
};

static bool write_in(const char *folder, const char *name, buffer *content) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    bool written = length > 0 && (size_t)length < sizeof path && write_file(path, content);
    free_buffer(content);
    return written;
}

static bool write_text_in(const char *folder, const char *name, const char *extension, buffer *content) {
    char path[256];
    int stem = (int)(strrchr(name, '.') - name);
    snprintf(path, sizeof path, "%.*s%s", stem, name, extension);
    return write_in(folder, path, content);
}

static void free_document(document *d) {
    for (int i = 0; i < d->accessors.items; i++) {
        free(d->elements[i].values);
    }
    for (int i = 0; i < d->skin_count; i++) {
        free(d->skins[i].joints);
    }
    buffer *const all[] = {&d->bin, &d->views, &d->accessors, &d->sections, &d->expected};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free_buffer(all[i]);
    }
    free(d);
}

static bool write_case(const char *folder, const conformance_case *c) {
    document *d = must_alloc(1, sizeof *d);
    buffer file = {0}, expected = {0};
    c->fill(d);
    if (strstr(c->file, ".glb")) {
        write_glb(d, &file);
    } else {
        write_gltf(d, &file);
    }
    write_expected(d, c->file, &expected);
    bool written = write_in(folder, c->file, &file) && write_text_in(folder, c->file, ".expected.json", &expected);
    if (d->bin_file) {
        written = written && write_in(folder, d->bin_file, &d->bin);
    }
    free_document(d);
    return written;
}

static void say_case(buffer *index, const conformance_case *c) {
    next_item(index);
    say_json(index, "\n{'file':'%s'%s}", c->file, c->breaks ? ",\"breaks\":true" : "");
    printf("| [%s](../models/conformance/%s)%s | %s | %s |\n", c->file, c->file, c->breaks ? " ¹" : "", c->catches,
           c->mistake);
}

static bool write_groups(const char *folder, buffer *index) {
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        printf("\n### %s\n\n| file | what it tests | common bugs |\n|---|---|---|\n", groups[g]->title);
        for (int i = 0; i < groups[g]->count; i++) {
            const conformance_case *c = &groups[g]->cases[i];
            say_case(index, c);
            if (!write_case(folder, c)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_sound_file(const char *folder, const refused_group *g, buffer *index) {
    buffer file = {0}, expected = {0};
    write_refused(g, NULL, &file);
    say_json(&expected, "{'file':'%s'}\n", g->sound_file);
    next_item(index);
    say_json(index, "\n{'file':'%s'}", g->sound_file);
    return write_in(folder, g->sound_file, &file) &&
           write_text_in(folder, g->sound_file, ".expected.json", &expected);
}

static bool write_faults(const char *folder, const refused_group *g, buffer *index) {
    printf("\n### %s\n\n| file | fault | location |\n|---|---|---|\n", g->title);
    printf("| [%s](../models/conformance/%s) | none: the others are this file with one fault | |\n", g->sound_file,
           g->sound_file);
    for (int i = 0; i < g->count; i++) {
        const refused_case *r = &g->cases[i];
        buffer file = {0};
        write_refused(g, r, &file);
        next_item(index);
        say_json(index, "\n{'file':'%s','refused':{'location':'%s','says':'%s'}}", r->file, r->location, r->says);
        printf("| [%s](../models/conformance/%s) | %s | %s%s%s |\n", r->file, r->file, r->why,
               r->location[0] ? "`" : "", r->location, r->location[0] ? "`" : "");
        if (!write_in(folder, r->file, &file)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "--help") == 0) {
        fprintf(stderr, "usage: make-conformance OUTDIR\n"
                        "Writes the conformance set into OUTDIR and prints the table of docs/conformance.md.\n");
        return argc == 2 ? 0 : 2;
    }
    buffer index = {0};
    say(&index, "[");
    bool written = write_groups(argv[1], &index);
    for (int i = 0; i < 2; i++) {
        const refused_group *g = i ? &refused_meshes : &refused_motions;
        written = written && write_sound_file(argv[1], g, &index) && write_faults(argv[1], g, &index);
    }
    say(&index, "\n]\n");
    return written && write_in(argv[1], "index.json", &index) ? 0 : 1;
}
