// slope_main.c - draws the slope of docs/howto/ik.md: make-slope HERO.glb OUT.webp
#include "plots/picture_file.h"
#include "plots/slope.h"

int main(int argc, char **argv) {
    return picture_file_main(argc, argv, "usage: make-slope HERO.glb OUT.webp", slope_picture);
}
