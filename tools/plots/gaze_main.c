// gaze_main.c - draws the gaze of docs/howto/ik.md: make-gaze HERO.glb OUT.webp
#include "plots/gaze_picture.h"
#include "plots/picture_file.h"

int main(int argc, char **argv) {
    return picture_file_main(argc, argv, "usage: make-gaze HERO.glb OUT.webp", gaze_picture);
}
