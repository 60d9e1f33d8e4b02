// SPDX-License-Identifier: MIT
// A small BVH file: three joints with an End Site, three frames.
#ifndef BVH_SAMPLE_H
#define BVH_SAMPLE_H

static const char bvh_sample[] = "HIERARCHY\n"
                                 "ROOT Hips\n"
                                 "{\n"
                                 "  OFFSET 0 90 0\n"
                                 "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                                 "  JOINT Spine\n"
                                 "  {\n"
                                 "    OFFSET 0 20 0\n"
                                 "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                                 "    End Site\n"
                                 "    {\n"
                                 "      OFFSET 0 30 5\n"
                                 "    }\n"
                                 "  }\n"
                                 "}\n"
                                 "MOTION\n"
                                 "Frames: 3\n"
                                 "Frame Time: 0.5\n"
                                 "1 91 2 0 0 0 0 0 0\n"
                                 "2 92 3 90 0 0 0 0 90\n"
                                 "3 93 4 0 90 0 45 0 0\n";

#endif
