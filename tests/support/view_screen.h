// SPDX-License-Identifier: MIT
// Runs `sinew view` on its own display, with real keys, a real mouse, dropped files, and the screen's pixels. Xvfb is
// the display and writes its screen to a file; xdotool presses the keys. Include it once per program. The program's
// argument is the command's path.
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef SINEW_HAVE_X11
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#endif

// The window's size, and the seconds after which a waiting test fails. Tests wait for events, never for a time.
enum { WIDTH = 640, HEIGHT = 480, PATIENCE = 300 };

static const char *command_path;
static char folder[256];
static pid_t display_process, view_process;

// ---- Waiting and processes -----------------------------------------------------------------------------------

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void rest(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static inline bool run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline bool run_shell(const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return system(line) == 0; // NOLINT(cert-env33-c): the test's own words
}

static inline bool there_is(const char *program) {
    return run_shell("command -v %s >/dev/null 2>&1", program);
}

static inline void stop(pid_t *process) {
    if (*process <= 0) return;
    kill(*process, SIGTERM);
    waitpid(*process, NULL, 0);
    *process = 0;
}

// A server once said that it's ready, but wasn't. Only an answer counts.
static inline bool display_answers(void) {
    const double end = now() + PATIENCE;
    while (!run_shell("xdotool getdisplaygeometry >/dev/null 2>&1")) {
        if (waitpid(display_process, NULL, WNOHANG) != 0) display_process = 0;
        if (now() > end || display_process == 0) return false;
        rest(0.1);
    }
    return true;
}

// Starts a display. Returns false if it doesn't come up. Its number comes from the process id: if two servers look
// for a free one at the same time, the one that ends removes the other's socket.
static inline bool start_display(int attempt) {
    int ends[2];
    char display[32];
    snprintf(display, sizeof display, ":%d", 100 + (int)(getpid() % 5000) + 5000 * attempt);
    if (pipe(ends) != 0) return false;
    display_process = fork();
    if (display_process == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", ends[1]);
        close(ends[0]);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        execlp("Xvfb", "Xvfb", display, "-displayfd", number, "-screen", "0", "1280x800x24", "-fbdir", folder,
               "-noreset", "-nolisten", "tcp", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    // When it's ready, the server prints its number and a newline. It gives up if nobody reads both.
    char last = 0;
    while (last != '\n' && read(ends[0], &last, 1) == 1) continue;
    close(ends[0]);
    if (last != '\n') {
        waitpid(display_process, NULL, 0);
        display_process = 0;
        return false;
    }
    setenv("DISPLAY", display, 1);
    if (display_answers()) return true;
    stop(&display_process);
    return false;
}

static inline pid_t start_view(char *const *arguments) {
    pid_t process = fork();
    if (process == 0) {
        int out = open("test_view_window.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, 2);
        execv(command_path, arguments);
        _exit(127);
    }
    return process;
}

// The exit status; -1 if it didn't end in time or was killed by a signal.
static inline int status_of(pid_t *process) {
    const double end = now() + PATIENCE;
    int status = 0;
    while (waitpid(*process, &status, WNOHANG) == 0) {
        if (now() > end) {
            stop(process);
            return -1;
        }
        rest(0.02);
    }
    *process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline const char *said(void) {
    static char text[1 << 16];
    FILE *file = fopen("test_view_window.err", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

// ---- Quiet ---------------------------------------------------------------------------------------------------

// Adds how often a thread was scheduled to `count`. Returns false unless it sleeps.
static inline bool thread_sleeps(pid_t process, const char *thread, unsigned long *count) {
    char path[64 + NAME_MAX], line[256], state = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%s/status", (int)process, thread);
    FILE *file = fopen(path, "r");
    if (!file) return false; // it has just ended
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "State:", 6) == 0) state = line[7];
        const char *number = strstr(line, "ctxt_switches:");
        if (number) *count += strtoul(number + sizeof "ctxt_switches:", NULL, 10);
    }
    fclose(file);
    return state == 'S';
}

static inline bool process_sleeps(pid_t process, unsigned long *count) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (!threads) return false;
    bool asleep = true;
    for (const struct dirent *entry; asleep && (entry = readdir(threads)) != NULL;)
        asleep = entry->d_name[0] == '.' || thread_sleeps(process, entry->d_name, count);
    closedir(threads);
    return asleep;
}

// Waits until the window has drawn everything: neither it nor the display has run for longer than a frame. On a busy
// machine, a thread waits for its turn and doesn't sleep then. If something plays, it's never quiet.
static inline void wait_until_quiet(const char *what) {
    const double end = now() + PATIENCE;
    for (;;) {
        unsigned long before = 0, after = 0;
        bool asleep = process_sleeps(view_process, &before) && process_sleeps(display_process, &before);
        rest(0.05);
        asleep = asleep && process_sleeps(view_process, &after) && process_sleeps(display_process, &after);
        if (asleep && before == after) return;
        if (now() > end) fail_msg("%s: it never stood still: %s", what, said());
    }
}

// ---- The screen ----------------------------------------------------------------------------------------------

// The window's pixels: red, green and blue.
typedef struct shot {
    uint8_t rgb[HEIGHT][WIDTH][3];
} shot;

static inline uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Reads the server's screen from a file in xwd format: a header of big-endian numbers, colours, pixels.
static inline void take(shot *s) {
    static uint8_t bytes[1280 * 800 * 4 + 65536];
    char path[320];
    snprintf(path, sizeof path, "%s/Xvfb_screen0", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const uint32_t head = big_endian(bytes), line = big_endian(bytes + 48), colors = big_endian(bytes + 76);
    assert_int_equal(big_endian(bytes + 44), 32); // bits per pixel
    const bool least_first = big_endian(bytes + 28) == 0;
    const size_t start = head + 12 * (size_t)colors;
    assert_true(start + (size_t)line * 800 <= size);
    for (size_t y = 0; y < HEIGHT; y++) {
        for (size_t x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = bytes + start + y * line + 4 * x;
            for (size_t i = 0; i < 3; i++) s->rgb[y][x][i] = least_first ? pixel[2 - i] : pixel[1 + i];
        }
    }
}

typedef struct region {
    int x, y, width, height;
} region;

// The window's regions, as tools/view/layout.c lays them out at this size.
static const region LIST_HEAD = {10, 10, 168, 46}, LIST = {10, 10, 168, 204}, PICTURE = {182, 10, 448, 382},
                    STATUS = {360, 10, 270, 60};
static const region TIMELINE_HEAD = {10, 400, 620, 26}, BAR = {20, 426, 600, 20}, MESSAGE = {190, 342, 440, 54};
static const region MIDDLE = {20, 50, 600, 250}, WHOLE = {0, 0, WIDTH, HEIGHT};

// The number of a region's pixels that differ by more than rounding.
static inline int differing(const shot *a, const shot *b, region r) {
    int count = 0;
    for (int y = r.y; y < r.y + r.height; y++) {
        for (int x = r.x; x < r.x + r.width; x++) {
            bool same = true;
            for (int i = 0; i < 3; i++) same = same && abs(a->rgb[y][x][i] - b->rgb[y][x][i]) <= 3;
            count += !same;
        }
    }
    return count;
}

// Waits until the window is quiet and at least `least` pixels of a region differ from `before` (NULL: until it's
// quiet).
static inline void wait_for_change(const shot *before, region r, int least, shot *after, const char *what) {
    const double end = now() + PATIENCE;
    for (;;) {
        wait_until_quiet(what);
        take(after);
        const int count = before ? differing(before, after, r) : least;
        if (count >= least) return;
        if (now() > end) fail_msg("%s: %d pixels changed, not %d", what, count, least);
    }
}

// The same while something plays.
static inline void wait_for_motion(const shot *before, region r, int least, const char *what) {
    static shot s;
    const double end = now() + PATIENCE;
    for (;;) {
        take(&s);
        const int count = differing(before, &s, r);
        if (count >= least) return;
        if (now() > end) fail_msg("%s: %d pixels changed, not %d", what, count, least);
        rest(0.02);
    }
}

static inline void write_shot(const shot *s, const char *name) {
    const char *to = getenv("SINEW_SHOTS"); // for people who want to look
    if (!to) return;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ppm", to, name);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    fwrite(s, 1, sizeof *s, file);
    fclose(file);
}

// Waits until a region is the same as before.
static inline void expect_same(const shot *before, region r, const char *what) {
    static shot after;
    const double end = now() + PATIENCE;
    for (;;) {
        take(&after);
        const int count = differing(before, &after, r);
        if (count == 0) return;
        if (now() > end) fail_msg("%s: %d pixels are others and should be the same", what, count);
        rest(0.05);
    }
}

// ---- Steps ---------------------------------------------------------------------------------------------------

static inline void press(const char *keys) {
    assert_true(run_shell("xdotool key --clearmodifiers %s", keys));
}

// Presses a key and checks that the region changed. `s` gets the new picture.
static inline void press_and_see(shot *s, const char *key, region r, int least) {
    static shot after;
    press(key);
    wait_for_change(s, r, least, &after, key);
    write_shot(&after, key);
    *s = after;
}

// Recognizes pixels of an overlay.
typedef bool (*look)(const uint8_t *rgb);

static inline bool is_orange(const uint8_t *c) {
    return c[0] > 180 && c[0] > c[1] + 40 && c[1] > c[2] + 40;
}

static inline bool is_blue(const uint8_t *c) {
    return c[2] > c[0] + 70 && c[2] > c[1] + 30;
}

static inline bool is_teal(const uint8_t *c) {
    return c[1] > c[0] + 50 && c[2] > c[0] + 50 && c[1] > 110;
}

static inline bool is_dark(const uint8_t *c) {
    return c[0] < 70 && c[1] < 80 && c[2] < 100;
}

static inline int looking_like(const shot *s, look like) {
    int count = 0;
    for (int y = PICTURE.y; y < PICTURE.y + PICTURE.height; y++) {
        for (int x = PICTURE.x; x < PICTURE.x + PICTURE.width; x++) count += like(s->rgb[y][x]);
    }
    return count;
}

// Presses a key twice. After the first time, the region changes, nothing outside the picture does, and pixels of that
// look appear (NULL: any). After the second, the whole screen is as before.
static inline void press_and_take_back(shot *s, const char *key, region r, int least, look like) {
    static shot on, off;
    press(key);
    wait_for_change(s, r, least, &on, key);
    write_shot(&on, key);
    if (like && looking_like(&on, like) < looking_like(s, like) + 300) fail_msg("%s draws something else", key);
    if (like && differing(s, &on, LIST) > 0) fail_msg("%s changes the list", key);
    press(key);
    wait_for_change(&on, r, least, &off, key);
    expect_same(s, WHOLE, key);
}

// ---- A window ------------------------------------------------------------------------------------------------

// Opens a window for a file, or without one.
static inline void open_view_path(const char *path) {
    char program[] = "sinew", command[] = "view", size[] = "--size=640x480", name[512];
    char *arguments[] = {program, command, size, NULL, NULL};
    snprintf(name, sizeof name, "%s", path ? path : "");
    if (path) arguments[3] = name;
    view_process = start_view(arguments);
    const double end = now() + PATIENCE;
    while (!run_shell("xdotool search --onlyvisible --name Sinew >/dev/null 2>&1")) {
        if (now() > end || waitpid(view_process, NULL, WNOHANG) != 0) fail_msg("no window: %s", said());
        rest(0.05);
    }
    assert_true(run_shell("xdotool mousemove 420 200"));
    static const shot black;
    wait_for_motion(&black, WHOLE, WIDTH * HEIGHT / 2, "the first frame");
}

static inline void close_view(void) {
    press("Escape");
    const int status = status_of(&view_process);
    if (status != 0) fail_msg("exit status %d: %s", status, said());
    assert_string_equal(said(), "");
}

static inline int stop_view(void **state) {
    (void)state;
    stop(&view_process);
    return 0;
}

// The same for a demo model.
static inline void open_view(const char *model) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SINEW_MODELS, model);
    open_view_path(path);
}

// Pauses, and waits until nothing moves.
static inline void hold(shot *s) {
    press("space");
    wait_for_change(NULL, WHOLE, 0, s, "space");
}

// ---- Dropping ------------------------------------------------------------------------------------------------

#ifdef SINEW_HAVE_X11
static inline Window find_window(Display *display) {
    Window root, parent, *children, found = 0;
    unsigned count;
    XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count);
    for (unsigned i = 0; i < count; i++) {
        XWindowAttributes attributes;
        if (XGetWindowAttributes(display, children[i], &attributes) && attributes.map_state == IsViewable &&
            attributes.width == WIDTH) {
            found = children[i];
        }
    }
    XFree(children);
    return found;
}

static inline void send(Display *display, Window to, const char *type, long a, long b, long c, long d, long e) {
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = to;
    event.xclient.message_type = XInternAtom(display, type, False);
    event.xclient.format = 32;
    const long data[5] = {a, b, c, d, e};
    memcpy(event.xclient.data.l, data, sizeof data);
    XSendEvent(display, to, False, NoEventMask, &event);
    XFlush(display);
}

// Answers the window's requests until it says that it's done.
static inline bool serve(Display *display, const char *uri) {
    const double end = now() + PATIENCE;
    while (now() < end) {
        XEvent event;
        if (!XPending(display)) {
            struct pollfd event_comes = {.fd = ConnectionNumber(display), .events = POLLIN};
            poll(&event_comes, 1, 1000 * PATIENCE);
            continue;
        }
        XNextEvent(display, &event);
        if (event.type == ClientMessage &&
            event.xclient.message_type == XInternAtom(display, "XdndFinished", False)) {
            return true;
        }
        if (event.type != SelectionRequest) continue;
        const XSelectionRequestEvent *asked = &event.xselectionrequest;
        XChangeProperty(display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                        (const unsigned char *)uri, (int)strlen(uri));
        XEvent answer = {0};
        answer.xselection.type = SelectionNotify;
        answer.xselection.requestor = asked->requestor;
        answer.xselection.selection = asked->selection;
        answer.xselection.target = asked->target;
        answer.xselection.property = asked->property;
        answer.xselection.time = asked->time;
        XSendEvent(display, asked->requestor, False, NoEventMask, &answer);
        XFlush(display);
    }
    return false;
}

// Drops a file onto the window with file managers' protocol (XDND, version 5).
static inline void drop(const char *path) {
    Display *display = XOpenDisplay(NULL);
    assert_non_null(display);
    const Window to = find_window(display);
    assert_true(to != 0);
    const Window from = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const long list = (long)XInternAtom(display, "text/uri-list", False);
    const long copy = (long)XInternAtom(display, "XdndActionCopy", False);
    XSetSelectionOwner(display, XInternAtom(display, "XdndSelection", False), from, CurrentTime);
    char uri[600];
    snprintf(uri, sizeof uri, "file://%s\r\n", path);
    send(display, to, "XdndEnter", (long)from, 5L << 24, list, 0, 0);
    send(display, to, "XdndPosition", (long)from, 0, 300L << 16 | 200, CurrentTime, copy);
    send(display, to, "XdndDrop", (long)from, 0, CurrentTime, 0, 0);
    const bool done = serve(display, uri);
    XCloseDisplay(display);
    assert_true(done);
}
#endif

// ---- Beginning and ending ------------------------------------------------------------------------------------

// Starts the display. If there isn't one, prints the reason and returns false.
static inline bool screen_start(const char *command) {
    char here[200];
    command_path = command;
    if (!there_is("Xvfb") || !there_is("xdotool")) {
        printf("SKIPPED: Xvfb or xdotool is missing\n");
        return false;
    }
    const bool has_here = getcwd(here, sizeof here) != NULL;
    snprintf(folder, sizeof folder, "%s/view-XXXXXX", here); // absolute: dropped files have absolute paths
    if (has_here && mkdtemp(folder) && (start_display(0) || start_display(1) || start_display(2))) return true;
    printf("SKIPPED: Xvfb does not start\n");
    rmdir(folder);
    return false;
}

static inline void screen_end(void) {
    stop(&display_process);
    run_shell("rm -rf '%s'", folder);
}

#endif
