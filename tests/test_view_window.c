// `sinew view` on a display of its own: real keys, a real mouse, a file dropped as a file manager drops it, and the
// pixels of the screen. Run with the command's path as the argument. Xvfb is the display and writes its screen to a
// file; xdotool presses the keys. Where one of them is missing, the test is skipped (77).
#include <errno.h>
#include <fcntl.h>
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

enum { WIDTH = 640, HEIGHT = 480, PATIENCE = 40 }; // of the window; seconds until something must have happened

static const char *command_path;
static char folder[256];
static pid_t display_process, view_process;

// ---- Waiting and processes -----------------------------------------------------------------------------------

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void rest(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static bool run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool run_shell(const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return system(line) == 0; // NOLINT(cert-env33-c): the test's own words
}

static bool there_is(const char *program) {
    return run_shell("command -v %s >/dev/null 2>&1", program);
}

static void stop(pid_t *process) {
    if (*process <= 0) return;
    kill(*process, SIGTERM);
    waitpid(*process, NULL, 0);
    *process = 0;
}

// A server that said it is ready was once seen not to be there for anybody: only an answer counts.
static bool display_answers(void) {
    const double end = now() + 5.0;
    while (!run_shell("xdotool getdisplaygeometry >/dev/null 2>&1")) {
        if (waitpid(display_process, NULL, WNOHANG) != 0) display_process = 0;
        if (now() > end || display_process == 0) return false;
        rest(0.1);
    }
    return true;
}

// A display; false when it does not come up. Its number follows from the process's own: of two servers that look for
// a free one at the same time, the one that ends takes the other's socket away.
static bool start_display(int attempt) {
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
    // The server says its number and a new line when it is ready, and gives up if nobody listens to both.
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

static pid_t start_view(char *const *arguments) {
    pid_t process = fork();
    if (process == 0) {
        int out = open("test_view_window.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, 2);
        execv(command_path, arguments);
        _exit(127);
    }
    return process;
}

// The exit status; -1 when it did not end in time or by a signal.
static int status_of(pid_t *process) {
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

static const char *said(void) {
    static char text[1 << 16];
    FILE *file = fopen("test_view_window.err", "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

// ---- The screen ----------------------------------------------------------------------------------------------

// The window's pixels, red, green and blue.
typedef struct shot {
    uint8_t rgb[HEIGHT][WIDTH][3];
} shot;

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// Reads the server's own screen, a file in the format of xwd: a head of big-endian numbers, colours, pixels.
static void take(shot *s) {
    static uint8_t bytes[1280 * 800 * 4 + 65536];
    char path[320];
    snprintf(path, sizeof path, "%s/Xvfb_screen0", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const uint32_t head = big_endian(bytes), line = big_endian(bytes + 48), colors = big_endian(bytes + 76);
    assert_int_equal(big_endian(bytes + 44), 32); // bits a pixel
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

// Where what is, as viewer/layout.c places it at this size.
static const region LIST_HEAD = {10, 10, 168, 46}, LIST = {10, 10, 168, 204}, PICTURE = {182, 10, 448, 340},
                    STATUS = {360, 10, 270, 60};
static const region TIMELINE_HEAD = {10, 358, 620, 26}, BAR = {20, 384, 600, 20}, MESSAGE = {190, 300, 440, 54};
static const region MIDDLE = {20, 50, 600, 250}, WHOLE = {0, 0, WIDTH, HEIGHT};

// How many pixels of a region differ by more than rounding.
static int differing(const shot *a, const shot *b, region r) {
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

// How long the screen must be the same to stand still: a few frames, which take long where many share a processor.
static double settling = 0.6;

// Waits until the screen stands still and differs from `before` in at least so many pixels of a region (NULL: just
// until it stands still).
static void wait_for_change(const shot *before, region r, int least, shot *after, const char *what) {
    static shot again;
    const double end = now() + PATIENCE;
    int most = 0;
    for (;;) {
        take(after);
        rest(settling);
        take(&again);
        const bool still = differing(after, &again, WHOLE) == 0;
        const int count = before ? differing(before, after, r) : least;
        if (count > most) most = count;
        if (still && count >= least) return;
        if (now() > end) fail_msg("%s: %d pixels changed, not %d, or it never stood still", what, most, least);
    }
}

static void write_shot(const shot *s, const char *name) {
    const char *to = getenv("SINEW_SHOTS"); // for whoever wants to look
    if (!to) return;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ppm", to, name);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    fwrite(s, 1, sizeof *s, file);
    fclose(file);
}

// Waits until a region is as it was.
static void expect_same(const shot *before, region r, const char *what) {
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

// Measures how long a frame takes, while something plays.
static void measure_frames(void) {
    static shot a, b;
    double last = now(), longest = 0.1;
    const double end = last + 1.5;
    take(&a);
    while (now() < end) {
        rest(0.01);
        take(&b);
        if (differing(&a, &b, WHOLE) == 0) continue;
        if (now() - last > longest) longest = now() - last;
        last = now();
        a = b;
    }
    settling = longest > 1.0 ? 3.0 : 3.0 * longest;
}

// ---- Steps ---------------------------------------------------------------------------------------------------

static void press(const char *keys) {
    assert_true(run_shell("xdotool key --clearmodifiers %s", keys));
}

// Presses a key and sees that the region changed; the new picture becomes `s`.
static void press_and_see(shot *s, const char *key, region r, int least) {
    static shot after;
    press(key);
    wait_for_change(s, r, least, &after, key);
    write_shot(&after, key);
    *s = after;
}

// What pixels of an overlay look like; each of them knows one.
typedef bool (*look)(const uint8_t *rgb);

static bool is_orange(const uint8_t *c) {
    return c[0] > 180 && c[0] > c[1] + 40 && c[1] > c[2] + 40;
}

static bool is_blue(const uint8_t *c) {
    return c[2] > c[0] + 70 && c[2] > c[1] + 30;
}

static bool is_teal(const uint8_t *c) {
    return c[1] > c[0] + 50 && c[2] > c[0] + 50 && c[1] > 110;
}

static bool is_dark(const uint8_t *c) {
    return c[0] < 70 && c[1] < 80 && c[2] < 100;
}

static int looking_like(const shot *s, look like) {
    int count = 0;
    for (int y = PICTURE.y; y < PICTURE.y + PICTURE.height; y++) {
        for (int x = PICTURE.x; x < PICTURE.x + PICTURE.width; x++) count += like(s->rgb[y][x]);
    }
    return count;
}

// Presses a key twice: the region changes, nothing outside the picture does, pixels of that look come (NULL: of any),
// and then the whole screen is as it was.
static void press_and_take_back(shot *s, const char *key, region r, int least, look like) {
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

static void open_view_with(const char *file, const char *option) {
    char command[] = "view", size[] = "--size=640x480", name[512] = "", more[128];
    char program[] = "sinew";
    char *arguments[] = {program, command, size, NULL, NULL, NULL};
    snprintf(more, sizeof more, "%s", option ? option : "");
    if (option) arguments[4] = more;
    if (file) snprintf(name, sizeof name, "%s/%s", SINEW_MODELS, file);
    if (file) arguments[3] = name;
    view_process = start_view(arguments);
    const double end = now() + PATIENCE;
    while (!run_shell("xdotool search --onlyvisible --name Sinew >/dev/null 2>&1")) {
        if (now() > end || waitpid(view_process, NULL, WNOHANG) != 0) fail_msg("no window: %s", said());
        rest(0.05);
    }
    assert_true(run_shell("xdotool mousemove 420 200"));
    rest(0.3);
}

static void close_view(void) {
    press("Escape");
    const int status = status_of(&view_process);
    if (status != 0) fail_msg("exit status %d: %s", status, said());
    assert_string_equal(said(), "");
}

static int stop_view(void **state) {
    (void)state;
    stop(&view_process);
    return 0;
}

static void open_view(const char *file) {
    open_view_with(file, NULL);
}

// Pauses what plays, and waits until nothing moves.
static void hold(shot *s) {
    measure_frames();
    press("space");
    wait_for_change(NULL, WHOLE, 0, s, "space");
}

// ---- The tests -----------------------------------------------------------------------------------------------

// Catches a window that stays black or still, and keys that do nothing, the wrong thing, or cannot be taken back.
static void keys_change_the_picture(void **state) {
    (void)state;
    static shot s, t;
    open_view("hero.glb");
    take(&s);
    const double end = now() + PATIENCE;
    do { // it plays by itself
        rest(0.1);
        take(&t);
        if (now() > end) fail_msg("nothing moves in the window");
    } while (differing(&s, &t, PICTURE) < 20);
    hold(&s);
    write_shot(&s, "paused");
    press_and_take_back(&s, "s", PICTURE, 1500, is_orange);
    press_and_take_back(&s, "g", PICTURE, 1500, NULL);
    press_and_take_back(&s, "w", PICTURE, 1500, is_dark);
    press_and_take_back(&s, "b", PICTURE, 500, is_blue);
    press_and_take_back(&s, "n", PICTURE, 1500, is_teal);
    press_and_take_back(&s, "h", MIDDLE, 50000, NULL);
    press_and_take_back(&s, "t", STATUS, 5000, NULL);
    t = s;
    press_and_see(&s, "bracketright", LIST_HEAD, 10);
    expect_same(&t, PICTURE, "]");
    press_and_see(&s, "bracketleft", LIST_HEAD, 10);
    expect_same(&t, WHOLE, "[ after ]");
    press_and_see(&s, "Up", TIMELINE_HEAD, 10);
    press_and_see(&s, "Down", TIMELINE_HEAD, 10);
    expect_same(&t, WHOLE, "Down after Up");
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    press_and_see(&s, "l", TIMELINE_HEAD, 20);
    expect_same(&t, WHOLE, "L three times");
    press_and_see(&s, "r", TIMELINE_HEAD, 4);
    press_and_see(&s, "r", TIMELINE_HEAD, 4);
    press_and_see(&s, "Home", BAR, 20);
    t = s;
    press_and_see(&s, "shift+Right", PICTURE, 100);
    press_and_see(&s, "Right", BAR, 20);
    press_and_see(&s, "Left", BAR, 20);
    press_and_see(&s, "shift+Left", BAR, 20);
    expect_same(&t, WHOLE, "steps to and fro");
    press("3"); // a cross-fade, which plays
    rest(1.0);
    hold(&s);
    write_shot(&s, "3");
    assert_true(differing(&s, &t, PICTURE) > 2000);
    assert_true(differing(&s, &t, (region){10, 56, 168, 100}) > 2000);
    close_view();
}

// Catches drags and wheels that do nothing, and a camera that F does not bring back.
static void the_mouse_moves_the_camera(void **state) {
    (void)state;
    static shot start, s, t;
    open_view("hero.glb");
    hold(&start);
    assert_true(run_shell("xdotool mousemove 420 200 mousedown 1 mousemove 360 200 mousemove 300 220 mouseup 1"));
    wait_for_change(&start, PICTURE, 3000, &s, "drag");
    write_shot(&s, "drag");
    expect_same(&start, LIST_HEAD, "drag");
    press_and_see(&s, "f", PICTURE, 50);
    t = s;
    assert_true(run_shell("xdotool mousemove 420 200 click 4 click 4 click 4"));
    wait_for_change(&t, PICTURE, 3000, &s, "wheel");
    write_shot(&s, "wheel");
    assert_true(run_shell("xdotool mousedown 3 mousemove 480 260 mouseup 3"));
    t = s;
    wait_for_change(&t, PICTURE, 3000, &s, "right drag");
    press_and_see(&s, "f", PICTURE, 3000);
    t = s;
    assert_true(run_shell("xdotool mousemove 320 394 mousedown 1 mousemove 470 394 mouseup 1"));
    wait_for_change(&t, BAR, 100, &s, "scrub");
    assert_true(differing(&s, &t, PICTURE) > 100);
    write_shot(&s, "scrub");
    assert_true(run_shell("xdotool mousemove 80 89 click 1")); // the second row of the list
    rest(0.6);
    hold(&t);
    assert_true(differing(&s, &t, TIMELINE_HEAD) > 50);
    write_shot(&t, "click");
    close_view();
}

static int looking_like_in(const shot *s, region r, look like) {
    int count = 0;
    for (int y = r.y; y < r.y + r.height; y++) {
        for (int x = r.x; x < r.x + r.width; x++) count += like(s->rgb[y][x]);
    }
    return count;
}

static bool is_bright(const uint8_t *c) {
    return c[0] > 170 && c[1] > 130;
}

// Catches markers that are not on the bar, or at another time than their own, names that do not come under the
// pointer, and events that nobody sees.
static void markers_are_shown(void **state) {
    (void)state;
    // Of Walk, Foot_R is at the half of the bar.
    static const region tick = {316, 401, 9, 8}, beside_it = {200, 401, 80, 8}, name = {324, 406, 44, 12},
                        events = {420, 326, 210, 22};
    static shot s, t;
    open_view("hero.glb");
    press("2");
    rest(1.5);
    hold(&s);
    press_and_see(&s, "Home", BAR, 20); // so that the playhead is at none of these places
    write_shot(&s, "markers");
    assert_true(looking_like_in(&s, tick, is_bright) > 12 && looking_like_in(&s, name, is_bright) > 20);
    assert_int_equal(looking_like_in(&s, beside_it, is_bright), 0);
    assert_true(looking_like_in(&s, events, is_dark) > 1500);
    assert_true(run_shell("xdotool mousemove 321 410"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "a marker under the pointer");
    write_shot(&t, "marker");
    expect_same(&s, PICTURE, "a marker under the pointer");
    s = t;
    assert_true(run_shell("xdotool mousemove 420 200"));
    wait_for_change(&s, TIMELINE_HEAD, 300, &t, "the pointer's leaving");
    close_view();
}

static bool is_cyan(const uint8_t *c) {
    return c[2] > 170 && c[1] > 150 && c[0] < 130;
}

static bool is_green(const uint8_t *c) {
    return c[1] > c[0] + 8 && c[1] > c[2] + 8;
}

static bool is_violet(const uint8_t *c) {
    return c[2] > c[1] + 50 && c[0] > c[1] + 15;
}

// Waits, while something plays, until so many pixels of a region look like that.
static void wait_for_look(region r, look like, int least, const char *what) {
    static shot s;
    const double end = now() + PATIENCE;
    do {
        if (now() > end) fail_msg("%s: not seen", what);
        rest(0.1);
        take(&s);
    } while (looking_like_in(&s, r, like) < least);
}

// Where what is, as viewer/layout.c places it at this size.
static const region MIXING = {398, 10, 232, 284}, CURVE = {408, 74, 212, 29}, PAD = {408, 239, 212, 46};

// Catches a panel that does not come, a curve that stays another kind's, a second character that is not drawn or not
// told from the first, and a layer that is not seen.
static void mixing_is_shown(void **state) {
    (void)state;
    static const region fourth = {170, 144, 8, 22}, free = {182, 10, 212, 340};
    static shot s, t;
    open_view("hero.glb");
    hold(&s);
    t = s;
    press_and_see(&s, "m", MIXING, 20000);
    assert_int_equal(differing(&s, &t, LIST), 0);
    assert_true(looking_like_in(&s, CURVE, is_orange) > 150);
    press_and_see(&s, "k", CURVE, 100);
    t = s;
    press_and_see(&s, "c", free, 10000);
    assert_true(looking_like_in(&t, free, is_cyan) < 5 && looking_like_in(&s, free, is_cyan) > 20); // its label
    assert_true(looking_like_in(&t, CURVE, is_cyan) == 0 && looking_like_in(&s, CURVE, is_cyan) > 100);
    press_and_see(&s, "c", free, 10000);
    expect_same(&t, free, "C twice");
    press("shift+5");
    wait_for_look(MIXING, is_violet, 200, "the layer's lines");
    hold(&s);
    write_shot(&s, "layer");
    assert_int_equal(looking_like_in(&t, MIXING, is_violet), 0);
    assert_true(looking_like_in(&s, fourth, is_violet) > 40); // the row's mark
    close_view();
}

// Catches a pad that the mouse does not move, and a blend space that does not play.
static void the_pad_is_dragged(void **state) {
    (void)state;
    static const region row = {10, 100, 168, 22}, end = {600, 255, 20, 25}, start = {408, 255, 20, 25};
    static shot s, t;
    open_view_with("hero.glb", "--space=Idle=0 Walk=1 Run=2");
    wait_for_look(start, is_orange, 30, "the parameter at its start");
    hold(&s);
    assert_true(looking_like_in(&s, start, is_orange) > 30 && looking_like_in(&s, end, is_orange) == 0);
    press("space");
    assert_true(run_shell("xdotool mousemove 430 270 mousedown 1 mousemove 520 270 mousemove 615 270 mouseup 1"));
    assert_true(run_shell("xdotool mousemove 300 200"));
    wait_for_look(end, is_orange, 30, "the parameter at its end");
    wait_for_look(row, is_green, 2500, "the weight of Run");
    hold(&t);
    write_shot(&t, "pad");
    assert_int_equal(looking_like_in(&t, start, is_orange), 0);
    assert_true(differing(&s, &t, PAD) > 100);
    close_view();
}

// Catches a way that is not drawn, and one that does not end.
static void the_way_is_on_the_ground(void **state) {
    (void)state;
    static const region ground = {182, 220, 212, 130};
    static shot s, t;
    open_view_with("hero.glb", "--root=Hips");
    press("7");
    press("c");
    wait_for_look(ground, is_cyan, 25, "the way");
    hold(&s);
    write_shot(&s, "way");
    press("BackSpace");
    wait_for_change(&s, ground, 15, &t, "BackSpace");
    assert_true(looking_like_in(&t, ground, is_cyan) < 5);
    close_view();
}

// Catches a window without a file that shows nothing, or ends.
static void it_starts_without_a_file(void **state) {
    (void)state;
    static shot s;
    open_view(NULL);
    wait_for_change(NULL, WHOLE, 0, &s, "welcome");
    write_shot(&s, "welcome");
    int dark = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) dark += s.rgb[y][x][0] < 90;
    }
    assert_true(dark > 100000); // the keys' panel
    close_view();
}

// ---- Dropping ------------------------------------------------------------------------------------------------

#ifdef SINEW_HAVE_X11
static Window find_window(Display *display) {
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

static void send(Display *display, Window to, const char *type, long a, long b, long c, long d, long e) {
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

// Answers what the window asks for, until it says that it is done.
static bool serve(Display *display, const char *uri) {
    const double end = now() + PATIENCE;
    while (now() < end) {
        XEvent event;
        if (!XPending(display)) {
            rest(0.01);
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

// Drops a file onto the window, by the protocol that file managers speak (XDND, version 5).
static void drop(const char *path) {
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

// Catches a broken file that ends the window or takes the place of what is shown, a message that stays, and a good
// file that does not come.
static void files_are_dropped(void **state) {
    (void)state;
    static shot before, s, t;
    open_view("hero.glb");
    hold(&before);
    char path[320];
    snprintf(path, sizeof path, "%s/broken.glb", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("glTF, says this file, and is none", file);
    fclose(file);
    drop(path);
    const double end = now() + PATIENCE;
    do {
        if (now() > end) fail_msg("no message about a broken file");
        rest(0.1);
        take(&s);
    } while (differing(&before, &s, MESSAGE) < 3000);
    write_shot(&s, "broken");
    expect_same(&before, LIST_HEAD, "a broken file");
    wait_for_change(&s, MESSAGE, 3000, &t, "the message's end");
    expect_same(&before, WHOLE, "after the message");
    snprintf(path, sizeof path, "%s/windmill.glb", SINEW_MODELS);
    drop(path);
    do {
        if (now() > end + PATIENCE) fail_msg("the dropped file does not come");
        rest(0.1);
        take(&s);
    } while (differing(&before, &s, PICTURE) < 10000 || differing(&before, &s, LIST_HEAD) < 50);
    write_shot(&s, "dropped");
    close_view();
}
#endif

// ---- Without a window ----------------------------------------------------------------------------------------

static void expect_one_line(const char *what) {
    const char *text = said();
    if (!strstr(text, what)) fail_msg("'%s' does not say '%s'", text, what);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static int run_view(const char *argument, const char *second) {
    char program[] = "sinew", command[] = "view", a[512], b[512];
    char *arguments[] = {program, command, NULL, NULL, NULL};
    snprintf(a, sizeof a, "%s", argument ? argument : "");
    snprintf(b, sizeof b, "%s", second ? second : "");
    if (argument) arguments[2] = a;
    if (second) arguments[3] = b;
    view_process = start_view(arguments);
    return status_of(&view_process);
}

// Catches a command that crashes or hangs where there is no display, or does not say what helps.
static void without_a_display_it_says_so(void **state) {
    (void)state;
    char display[64];
    snprintf(display, sizeof display, "%s", getenv("DISPLAY"));
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", NULL), 1);
    expect_one_line("sinew render");
    setenv("DISPLAY", display, 1);
}

// Catches a window that opens for what cannot be shown.
static void bad_arguments_are_refused(void **state) {
    (void)state;
    assert_int_equal(run_view("no-such-file.glb", NULL), 1);
    expect_one_line("no-such-file.glb");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--clip=Swim"), 1);
    expect_one_line("Swim");
    assert_int_equal(run_view(SINEW_MODELS "/hero.glb", "--attach=" SINEW_MODELS "/sword.glb@Tail"), 1);
    expect_one_line("Tail");
    assert_int_equal(run_view("--clip", "Idle"), 2);
    assert_int_equal(run_view("--size=3x4", NULL), 2);
    expect_one_line("--size");
    assert_int_equal(run_view("--attach=nothing", NULL), 2);
    assert_int_equal(run_view("--colour", NULL), 2);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    command_path = argv[1];
    if (!there_is("Xvfb") || !there_is("xdotool")) {
        printf("SKIPPED: Xvfb or xdotool is missing\n");
        return 77;
    }
    char here[200];
    if (!getcwd(here, sizeof here)) return 1;
    snprintf(folder, sizeof folder, "%s/view-XXXXXX", here); // whole, because files are dropped by whole paths
    if (!mkdtemp(folder) || !(start_display(0) || start_display(1) || start_display(2))) {
        printf("SKIPPED: Xvfb does not start\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(keys_change_the_picture, stop_view),
        cmocka_unit_test_teardown(the_mouse_moves_the_camera, stop_view),
        cmocka_unit_test_teardown(markers_are_shown, stop_view),
        cmocka_unit_test_teardown(mixing_is_shown, stop_view),
        cmocka_unit_test_teardown(the_pad_is_dragged, stop_view),
        cmocka_unit_test_teardown(the_way_is_on_the_ground, stop_view),
        cmocka_unit_test_teardown(it_starts_without_a_file, stop_view),
#ifdef SINEW_HAVE_X11
        cmocka_unit_test_teardown(files_are_dropped, stop_view),
#endif
        cmocka_unit_test_teardown(without_a_display_it_says_so, stop_view),
        cmocka_unit_test_teardown(bad_arguments_are_refused, stop_view),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    stop(&display_process);
    run_shell("rm -rf '%s'", folder);
    return failed;
}
