// SPDX-License-Identifier: MIT
// The joint names of the conventions, as published: by Mixamo's and Ready Player Me's exports, Unreal's mannequins, Blender's
// "Human (Meta-Rig)" and the deform bones that Rigify makes of it, VRoid Studio's exports, 3ds Max Biped, the BVH files of
// CMU's motion capture and of LAFAN1, Quaternius' characters, KayKit's, Character Creator's, Daz Genesis 8 and SMPL.
#include "support/humanoid_rigs.h"
#include "humanoid/humanoid_name.h"

#include <stdio.h>

#define FINGER3(a, b, c, parent, finger)                                                                           \
    a ";" parent ";" finger "Proximal\n" b ";" a ";" finger "Intermediate\n" c ";" b ";" finger "Distal\n"
#define THUMB3(a, b, c, parent)                                                                                    \
    a ";" parent ";ThumbMetacarpal\n" b ";" a ";ThumbProximal\n" c ";" b ";ThumbDistal\n"

// Finger joints are numbered from 1; the fourth is the tip.
#define MIXAMO_FINGER(p, name, role)                                                                               \
    FINGER3(p "@Hand" name "1", p "@Hand" name "2", p "@Hand" name "3", p "@Hand", role)                           \
    p "@Hand" name "4;" p "@Hand" name "3;\n"
#define MIXAMO_TRUNK(p)                                                                                            \
    p "Hips;;hips\n" p "Spine;" p "Hips;spine\n" p "Spine1;" p "Spine;chest\n" p "Spine2;" p                       \
      "Spine1;upperChest\n" p "Neck;" p "Spine2;neck\n" p "Head;" p "Neck;head\n" p "HeadTop_End;" p "Head;\n"
#define MIXAMO_LIMBS(p)                                                                                            \
    p "@Shoulder;" p "Spine2;Shoulder\n" p "@Arm;" p "@Shoulder;UpperArm\n" p "@ForeArm;" p "@Arm;LowerArm\n" p    \
      "@Hand;" p "@ForeArm;Hand\n" THUMB3(p "@HandThumb1", p "@HandThumb2", p "@HandThumb3", p "@Hand") p          \
        "@HandThumb4;" p "@HandThumb3;\n" MIXAMO_FINGER(p, "Index", "Index") MIXAMO_FINGER(p, "Middle", "Middle")  \
            MIXAMO_FINGER(p, "Ring", "Ring") MIXAMO_FINGER(p, "Pinky", "Little") p                                 \
        "@UpLeg;" p "Hips;UpperLeg\n" p "@Leg;" p "@UpLeg;LowerLeg\n" p "@Foot;" p "@Leg;Foot\n" p "@ToeBase;" p   \
        "@Foot;Toes\n" p "@Toe_End;" p "@ToeBase;\n"

#define METARIG_TRUNK(p, root)                                                                                     \
    p "spine;" root ";hips\n" p "spine.001;" p "spine;spine\n" p "spine.002;" p "spine.001;chest\n" p              \
      "spine.003;" p "spine.002;upperChest\n" p "spine.004;" p "spine.003;neck\n" p "spine.005;" p                 \
      "spine.004;\n" p "spine.006;" p "spine.005;head\n"
#define METARIG_FINGER(p, name, palm, role)                                                                        \
    palm ";" p "hand.@;\n" FINGER3(p name ".01.@", p name ".02.@", p name ".03.@", palm, role)
#define METARIG_HAND(p)                                                                                            \
    p "palm.01.@;" p "hand.@;\n" THUMB3(p "thumb.01.@", p "thumb.02.@", p "thumb.03.@", p "palm.01.@")             \
        FINGER3(p "f_index.01.@", p "f_index.02.@", p "f_index.03.@", p "palm.01.@", "Index")                      \
            METARIG_FINGER(p, "f_middle", p "palm.02.@", "Middle")                                                 \
                METARIG_FINGER(p, "f_ring", p "palm.03.@", "Ring")                                                 \
                    METARIG_FINGER(p, "f_pinky", p "palm.04.@", "Little")

#define UNREAL_FINGER(name, role) FINGER3(name "_01_@", name "_02_@", name "_03_@", "hand_@", role)
#define UE5_FINGER(name, role)                                                                                     \
    name "_metacarpal_@;hand_@;\n" FINGER3(name "_01_@", name "_02_@", name "_03_@", name "_metacarpal_@", role)

const rig_convention rig_conventions[] = {
    {"Mixamo", MIXAMO_TRUNK("mixamorig:"), MIXAMO_LIMBS("mixamorig:"), "Left", "Right"},
    {"Ready Player Me",
     "Armature;;\nHips;Armature;hips\nSpine;Hips;spine\nSpine1;Spine;chest\nSpine2;Spine1;upperChest\nNeck;Spine2;"
     "neck\n"
     "Head;Neck;head\nHeadTop_End;Head;\nWolf3D_Head;Armature;\nWolf3D_Body;Armature;\n",
     "@Eye;Head;Eye\n" MIXAMO_LIMBS(""), "Left", "Right"},
    {"Unreal 4",
     "root;;\npelvis;root;hips\nspine_01;pelvis;spine\nspine_02;spine_01;chest\nspine_03;spine_02;upperChest\n"
     "neck_01;spine_03;neck\nhead;neck_01;head\nik_foot_root;root;\nik_hand_root;root;\nik_hand_gun;ik_hand_root;"
     "\n",
     "clavicle_@;spine_03;Shoulder\nupperarm_@;clavicle_@;UpperArm\nlowerarm_@;upperarm_@;LowerArm\n"
     "hand_@;lowerarm_@;Hand\nlowerarm_twist_01_@;lowerarm_@;\nupperarm_twist_01_@;upperarm_@;\n" THUMB3(
         "thumb_01_@", "thumb_02_@", "thumb_03_@", "hand_@") UNREAL_FINGER("index", "Index")
         UNREAL_FINGER("middle", "Middle") UNREAL_FINGER("ring", "Ring") UNREAL_FINGER(
             "pinky",
             "Little") "thigh_@;pelvis;UpperLeg\ncalf_@;thigh_@;LowerLeg\nfoot_@;calf_@;Foot\nball_@;foot_@;Toes\n"
                       "calf_twist_01_@;calf_@;\nthigh_twist_01_@;thigh_@;\nik_foot_@;ik_foot_root;\nik_hand_@;ik_"
                       "hand_gun;\n",
     "l", "r"},
    {"Unreal 5",
     "root;;\npelvis;root;hips\nspine_01;pelvis;spine\nspine_02;spine_01;\nspine_03;spine_02;chest\n"
     "spine_04;spine_03;\nspine_05;spine_04;upperChest\nneck_01;spine_05;neck\nneck_02;neck_01;\nhead;neck_02;"
     "head\n",
     "clavicle_@;spine_05;Shoulder\nclavicle_out_@;clavicle_@;\nupperarm_@;clavicle_@;UpperArm\n"
     "upperarm_correctiveRoot_@;upperarm_@;\nlowerarm_@;upperarm_@;LowerArm\nhand_@;lowerarm_@;Hand\n" THUMB3(
         "thumb_01_@", "thumb_02_@", "thumb_03_@", "hand_@") UE5_FINGER("index", "Index")
         UE5_FINGER("middle", "Middle") UE5_FINGER("ring", "Ring")
             UE5_FINGER("pinky", "Little") "thigh_@;pelvis;UpperLeg\nthigh_twist_01_@;thigh_@;\ncalf_@;thigh_@;"
                                           "LowerLeg\nfoot_@;calf_@;Foot\n"
                                           "ball_@;foot_@;Toes\nankle_fwd_@;foot_@;\n",
     "l", "r"},
    {"Unity and VRM", // the names of the roles, as Unity's own characters have them
     "Hips;;hips\nSpine;Hips;spine\nChest;Spine;chest\nUpperChest;Chest;upperChest\nNeck;UpperChest;neck\n"
     "Head;Neck;head\nJaw;Head;jaw\n",
     "@Eye;Head;Eye\n@Shoulder;UpperChest;Shoulder\n@UpperArm;@Shoulder;UpperArm\n@LowerArm;@UpperArm;LowerArm\n"
     "@Hand;@LowerArm;Hand\n" THUMB3("@ThumbMetacarpal", "@ThumbProximal", "@ThumbDistal", "@Hand")
         FINGER3("@IndexProximal", "@IndexIntermediate", "@IndexDistal", "@Hand", "Index")
             FINGER3("@MiddleProximal", "@MiddleIntermediate", "@MiddleDistal", "@Hand", "Middle")
                 FINGER3("@RingProximal", "@RingIntermediate", "@RingDistal", "@Hand", "Ring")
                     FINGER3("@LittleProximal", "@LittleIntermediate", "@LittleDistal", "@Hand",
                             "Little") "@UpperLeg;Hips;UpperLeg\n@LowerLeg;@UpperLeg;LowerLeg\n@Foot;@LowerLeg;"
                                       "Foot\n@Toes;@Foot;Toes\n",
     "Left", "Right"},
    {"VRoid",
     "Root;;\nJ_Bip_C_Hips;Root;hips\nJ_Bip_C_Spine;J_Bip_C_Hips;spine\nJ_Bip_C_Chest;J_Bip_C_Spine;chest\n"
     "J_Bip_C_UpperChest;J_Bip_C_Chest;upperChest\nJ_Bip_C_Neck;J_Bip_C_UpperChest;neck\nJ_Bip_C_Head;J_Bip_C_Neck;"
     "head\n"
     "J_Sec_Hair1_01;J_Bip_C_Head;\nFace;;\nBody;;\nHair;;\n",
     "J_Adj_@_FaceEye;J_Bip_C_Head;Eye\nJ_Sec_@_Bust1;J_Bip_C_UpperChest;\nJ_Bip_@_Shoulder;J_Bip_C_UpperChest;"
     "Shoulder\n"
     "J_Bip_@_UpperArm;J_Bip_@_Shoulder;UpperArm\nJ_Bip_@_LowerArm;J_Bip_@_UpperArm;LowerArm\n"
     "J_Sec_@_TopsUpperArmInside;J_Bip_@_UpperArm;\nJ_Bip_@_Hand;J_Bip_@_LowerArm;Hand\n" THUMB3(
         "J_Bip_@_Thumb1", "J_Bip_@_Thumb2", "J_Bip_@_Thumb3",
         "J_Bip_@_Hand") FINGER3("J_Bip_@_Index1", "J_Bip_@_Index2", "J_Bip_@_Index3", "J_Bip_@_Hand", "Index")
         FINGER3("J_Bip_@_Middle1", "J_Bip_@_Middle2", "J_Bip_@_Middle3", "J_Bip_@_Hand", "Middle")
             FINGER3("J_Bip_@_Ring1", "J_Bip_@_Ring2", "J_Bip_@_Ring3", "J_Bip_@_Hand", "Ring") FINGER3(
                 "J_Bip_@_Little1", "J_Bip_@_Little2", "J_Bip_@_Little3", "J_Bip_@_Hand",
                 "Little") "J_Bip_@_UpperLeg;J_Bip_C_Hips;UpperLeg\nJ_Bip_@_LowerLeg;J_Bip_@_UpperLeg;LowerLeg\n"
                           "J_Bip_@_Foot;J_Bip_@_LowerLeg;Foot\nJ_Bip_@_ToeBase;J_Bip_@_Foot;Toes\nJ_Sec_@_"
                           "SkirtBack1;J_Bip_C_Hips;\n",
     "L", "R"},
    {"metarig", METARIG_TRUNK("", ""),
     "pelvis.@;spine;\nbreast.@;spine.003;\nshoulder.@;spine.003;Shoulder\nupper_arm.@;shoulder.@;UpperArm\n"
     "forearm.@;upper_arm.@;LowerArm\nhand.@;forearm.@;Hand\n" METARIG_HAND(
         "") "thigh.@;spine;UpperLeg\nshin.@;thigh.@;LowerLeg\nfoot.@;shin.@;Foot\ntoe.@;foot.@;Toes\nheel.02.@;"
             "foot.@;\n",
     "L", "R"},
    {"Rigify", "root;;\n" METARIG_TRUNK("DEF-", "root"),
     "DEF-pelvis.@;DEF-spine;\nDEF-shoulder.@;DEF-spine.003;Shoulder\nDEF-upper_arm.@;DEF-shoulder.@;UpperArm\n"
     "DEF-upper_arm.@.001;DEF-upper_arm.@;\nDEF-forearm.@;DEF-upper_arm.@.001;LowerArm\n"
     "DEF-forearm.@.001;DEF-forearm.@;\nDEF-hand.@;DEF-forearm.@.001;Hand\n" METARIG_HAND(
         "DEF-") "DEF-thigh.@;DEF-spine;UpperLeg\nDEF-thigh.@.001;DEF-thigh.@;\nDEF-shin.@;DEF-thigh.@.001;"
                 "LowerLeg\n"
                 "DEF-shin.@.001;DEF-shin.@;\nDEF-foot.@;DEF-shin.@.001;Foot\nDEF-toe.@;DEF-foot.@;Toes\n"
                 "hand_ik.@;root;\nfoot_ik.@;root;\nMCH-thigh_parent.@;root;\nORG-thigh.@;root;\n",
     "L", "R"},
    {"Biped",
     "Bip01;;\nBip01 Pelvis;Bip01;hips\nBip01 Spine;Bip01 Pelvis;spine\nBip01 Spine1;Bip01 Spine;chest\n"
     "Bip01 Neck;Bip01 Spine1;neck\nBip01 Head;Bip01 Neck;head\nBip01 HeadNub;Bip01 Head;\nBip01 "
     "Footsteps;Bip01;\n",
     "Bip01 @ Clavicle;Bip01 Neck;Shoulder\nBip01 @ UpperArm;Bip01 @ Clavicle;UpperArm\n"
     "Bip01 @ Forearm;Bip01 @ UpperArm;LowerArm\nBip01 @ Hand;Bip01 @ Forearm;Hand\n"
     "Bip01 @ ForeTwist;Bip01 @ Forearm;\n" THUMB3(
         "Bip01 @ Finger0", "Bip01 @ Finger01", "Bip01 @ Finger02",
         "Bip01 @ Hand") "Bip01 @ Finger0Nub;Bip01 @ Finger02;\n" FINGER3("Bip01 @ Finger1", "Bip01 @ Finger11",
                                                                          "Bip01 @ Finger12", "Bip01 @ Hand",
                                                                          "Index")
         FINGER3("Bip01 @ Finger2", "Bip01 @ Finger21", "Bip01 @ Finger22", "Bip01 @ Hand", "Middle")
             FINGER3("Bip01 @ Finger3", "Bip01 @ Finger31", "Bip01 @ Finger32", "Bip01 @ Hand", "Ring")
                 FINGER3("Bip01 @ Finger4", "Bip01 @ Finger41", "Bip01 @ Finger42", "Bip01 @ Hand",
                         "Little") "Bip01 @ Thigh;Bip01 Spine;UpperLeg\nBip01 @ Calf;Bip01 @ Thigh;LowerLeg\nBip01 "
                                   "@ Foot;Bip01 @ Calf;Foot\n"
                                   "Bip01 @ Toe0;Bip01 @ Foot;Toes\nBip01 @ Toe0Nub;Bip01 @ Toe0;\n",
     "L", "R"},
    {"CMU BVH", // LHipJoint and RHipJoint are sides' words of their own: see the trunk
     "Hips;;hips\nLHipJoint;Hips;\nRHipJoint;Hips;\nLowerBack;Hips;spine\nSpine;LowerBack;chest\n"
     "Spine1;Spine;upperChest\nNeck;Spine1;neck\nNeck1;Neck;\nHead;Neck1;head\nLThumb;LeftHand;"
     "leftThumbMetacarpal\n"
     "RThumb;RightHand;rightThumbMetacarpal\nLeftUpLeg;LHipJoint;leftUpperLeg\nRightUpLeg;RHipJoint;"
     "rightUpperLeg\n",
     "@Leg;@UpLeg;LowerLeg\n@Foot;@Leg;Foot\n@ToeBase;@Foot;Toes\n@Shoulder;Spine1;Shoulder\n@Arm;@Shoulder;"
     "UpperArm\n"
     "@ForeArm;@Arm;LowerArm\n@Hand;@ForeArm;Hand\n@FingerBase;@Hand;\n@HandIndex1;@FingerBase;IndexProximal\n",
     "Left", "Right"},
    {"LAFAN1 BVH",
     "Hips;;hips\nSpine;Hips;spine\nSpine1;Spine;chest\nSpine2;Spine1;upperChest\nNeck;Spine2;neck\nHead;Neck;"
     "head\n",
     "@UpLeg;Hips;UpperLeg\n@Leg;@UpLeg;LowerLeg\n@Foot;@Leg;Foot\n@Toe;@Foot;Toes\n@Shoulder;Spine2;Shoulder\n"
     "@Arm;@Shoulder;UpperArm\n@ForeArm;@Arm;LowerArm\n@Hand;@ForeArm;Hand\n",
     "Left", "Right"},
    {"Quaternius", // hips are beside the legs; the joint below them is the lowest that has both
     "Bone;;\nBody;Bone;hips\nHips;Body;\nAbdomen;Hips;spine\nTorso;Abdomen;chest\nNeck;Torso;neck\nHead;Neck;"
     "head\n"
     "Head_end;Head;\n",
     "Shoulder.@;Torso;Shoulder\nUpperArm.@;Shoulder.@;UpperArm\nLowerArm.@;UpperArm.@;LowerArm\n"
     "Palm.@;LowerArm.@;Hand\nUpperLeg.@;Body;UpperLeg\nLowerLeg.@;UpperLeg.@;LowerLeg\nLowerLeg.@_end;LowerLeg.@;"
     "\n"
     "Foot.@;LowerLeg.@;Foot\nPoleTarget.@;Bone;\n",
     "L", "R"},
    {"legs at the root", // of other characters by Quaternius
     "Root;;\nHips;Root;hips\nAbdomen;Hips;spine\nTorso;Abdomen;chest\nNeck;Torso;neck\nHead;Neck;head\n",
     "Shoulder.@;Torso;Shoulder\nUpperArm.@;Shoulder.@;UpperArm\nLowerArm.@;UpperArm.@;LowerArm\nHand.@;LowerArm.@;"
     "Hand\n"
     "UpperLeg.@;Root;UpperLeg\nLowerLeg.@;UpperLeg.@;LowerLeg\nFoot.@;LowerLeg.@;Foot\n",
     "L", "R"},
    {"FBX escapes", // by their codes
     "Root;;\nHips;Root;hips\nAbdomen;Hips;spine\nTorso;Abdomen;chest\nNeck;Torso;neck\nHead;Neck;head\n",
     "ShoulderFBXASC046@;Torso;Shoulder\nUpperArmFBXASC046@;ShoulderFBXASC046@;UpperArm\nLowerArmFBXASC046@;"
     "UpperArmFBXASC046@;LowerArm\nFistFBXASC046@;LowerArmFBXASC046@;Hand\nUpperLegFBXASC046@;Hips;UpperLeg\n"
     "LowerLegFBXASC046@;UpperLegFBXASC046@;LowerLeg\nFootFBXASC046@;LowerLegFBXASC046@;Foot\n",
     "L", "R"},
    {"lower case",
     "Root;;\nHips;Root;hips\nAbdomen;Hips;spine\nTorso;Abdomen;chest\nNeck;Torso;neck\nHead;Neck;head\n",
     "@shoulder;Torso;Shoulder\n@upperarm;@shoulder;UpperArm\n@lowerarm;@upperarm;LowerArm\n@hand;@lowerarm;Hand\n"
     "@upperleg;Hips;UpperLeg\n@lowerleg;@upperleg;LowerLeg\n@foot;@lowerleg;Foot\n",
     "l", "r"},
    {"Maya bind joints",
     "C_root0001_bind_JNT;;\nC_hips0001_bind_JNT;C_root0001_bind_JNT;hips\nC_torso0001_bind_JNT;C_hips0001_bind_"
     "JNT;spine\n"
     "C_neck0001_bind_JNT;C_torso0001_bind_JNT;neck\nC_head0001_bind_JNT;C_neck0001_bind_JNT;head\n",
     "@_shoulder0001_bind_JNT;C_torso0001_bind_JNT;Shoulder\n@_upperArm0001_bind_JNT;@_shoulder0001_bind_JNT;"
     "UpperArm\n"
     "@_lowerArm0001_bind_JNT;@_upperArm0001_bind_JNT;LowerArm\n@_hand0001_bind_JNT;@_lowerArm0001_bind_JNT;Hand\n"
     "@_upperLeg0001_bind_JNT;C_hips0001_bind_JNT;UpperLeg\n@_lowerLeg0001_bind_JNT;@_upperLeg0001_bind_JNT;"
     "LowerLeg\n"
     "@_foot0001_bind_JNT;@_lowerLeg0001_bind_JNT;Foot\n",
     "L", "R"},
    {"two hip joints", // as in copies of CMU's data: the second moves the thigh
     "Hips;;hips\nChest;Hips;spine\nNeck;Chest;neck\nHead;Neck;head\n",
     "@Collar;Chest;Shoulder\n@Shoulder;@Collar;UpperArm\n@Elbow;@Shoulder;LowerArm\n@Wrist;@Elbow;Hand\n"
     "@HipJoint;Hips;\n@Hip;@HipJoint;UpperLeg\n@Knee;@Hip;LowerLeg\n@Ankle;@Knee;Foot\n",
     "Left", "Right"},
    {"KayKit", "root;;\nhips;root;hips\nspine;hips;spine\nchest;spine;chest\nhead;chest;head\n",
     "upperarm.@;chest;UpperArm\nlowerarm.@;upperarm.@;LowerArm\nwrist.@;lowerarm.@;\nhand.@;wrist.@;Hand\n"
     "handslot.@;hand.@;\nupperleg.@;hips;UpperLeg\nlowerleg.@;upperleg.@;LowerLeg\nfoot.@;lowerleg.@;Foot\n"
     "toes.@;foot.@;Toes\nkneeIK.@;root;\ncontrol-foot-roll.@;root;\nIK-foot.@;control-foot-roll.@;\nelbowIK.@;"
     "root;\n"
     "handIK.@;root;\n",
     "l", "r"},
    {"Character Creator",
     "CC_Base_BoneRoot;;\nCC_Base_Hip;CC_Base_BoneRoot;hips\nCC_Base_Pelvis;CC_Base_Hip;\nCC_Base_Waist;CC_Base_"
     "Hip;spine\n"
     "CC_Base_Spine01;CC_Base_Waist;chest\nCC_Base_Spine02;CC_Base_Spine01;upperChest\n"
     "CC_Base_NeckTwist01;CC_Base_Spine02;neck\nCC_Base_NeckTwist02;CC_Base_NeckTwist01;\n"
     "CC_Base_Head;CC_Base_NeckTwist02;head\nCC_Base_JawRoot;CC_Base_Head;jaw\n",
     "CC_Base_@_Eye;CC_Base_Head;Eye\nCC_Base_@_RibsTwist;CC_Base_Spine02;\nCC_Base_@_Clavicle;CC_Base_Spine02;"
     "Shoulder\n"
     "CC_Base_@_Upperarm;CC_Base_@_Clavicle;UpperArm\nCC_Base_@_UpperarmTwist01;CC_Base_@_Upperarm;\n"
     "CC_Base_@_Forearm;CC_Base_@_Upperarm;LowerArm\nCC_Base_@_ForearmTwist01;CC_Base_@_Forearm;\n"
     "CC_Base_@_Hand;CC_Base_@_Forearm;Hand\n" THUMB3("CC_Base_@_Thumb1", "CC_Base_@_Thumb2", "CC_Base_@_Thumb3",
                                                      "CC_Base_@_Hand")
         FINGER3("CC_Base_@_Index1", "CC_Base_@_Index2", "CC_Base_@_Index3", "CC_Base_@_Hand", "Index")
             FINGER3("CC_Base_@_Mid1", "CC_Base_@_Mid2", "CC_Base_@_Mid3", "CC_Base_@_Hand", "Middle")
                 FINGER3("CC_Base_@_Ring1", "CC_Base_@_Ring2", "CC_Base_@_Ring3", "CC_Base_@_Hand", "Ring") FINGER3(
                     "CC_Base_@_Pinky1", "CC_Base_@_Pinky2", "CC_Base_@_Pinky3", "CC_Base_@_Hand",
                     "Little") "CC_Base_@_Thigh;CC_Base_Pelvis;UpperLeg\nCC_Base_@_Calf;CC_Base_@_Thigh;LowerLeg\n"
                               "CC_Base_@_CalfTwist01;CC_Base_@_Calf;\nCC_Base_@_Foot;CC_Base_@_Calf;Foot\n"
                               "CC_Base_@_ToeBase;CC_Base_@_Foot;Toes\nCC_Base_@_BigToe1;CC_Base_@_ToeBase;\n",
     "L", "R"},
    {"Daz Genesis 8",
     "Genesis8Female;;\nhip;Genesis8Female;hips\npelvis;hip;\nabdomenLower;hip;spine\nabdomenUpper;abdomenLower;\n"
     "chestLower;abdomenUpper;chest\nchestUpper;chestLower;upperChest\nneckLower;chestUpper;neck\nneckUpper;"
     "neckLower;\n"
     "head;neckUpper;head\nlowerJaw;head;jaw\n",
     "@Eye;head;Eye\n@Pectoral;chestLower;\n@Collar;chestUpper;Shoulder\n@ShldrBend;@Collar;UpperArm\n"
     "@ShldrTwist;@ShldrBend;\n@ForearmBend;@ShldrTwist;LowerArm\n@ForearmTwist;@ForearmBend;\n@Hand;@ForearmTwist;"
     "Hand\n" THUMB3("@Thumb1", "@Thumb2", "@Thumb3", "@Hand") "@Carpal1;@Hand;\n" FINGER3(
         "@Index1", "@Index2", "@Index3", "@Carpal1", "Index") FINGER3("@Mid1", "@Mid2", "@Mid3", "@Hand", "Middle")
         FINGER3("@Ring1", "@Ring2", "@Ring3", "@Hand", "Ring")
             FINGER3("@Pinky1", "@Pinky2", "@Pinky3", "@Hand",
                     "Little") "@ThighBend;pelvis;UpperLeg\n@ThighTwist;@ThighBend;\n@Shin;@ThighTwist;LowerLeg\n@"
                               "Foot;@Shin;Foot\n"
                               "@Metatarsals;@Foot;\n@Toe;@Metatarsals;Toes\n@BigToe;@Toe;\n",
     "l", "r"},
    {"SMPL", // joints instead of bones: the shoulder is where the upper arm starts
     "Pelvis;;hips\nSpine1;Pelvis;spine\nSpine2;Spine1;chest\nSpine3;Spine2;upperChest\nNeck;Spine3;neck\nHead;"
     "Neck;head\n",
     "@_Hip;Pelvis;UpperLeg\n@_Knee;@_Hip;LowerLeg\n@_Ankle;@_Knee;Foot\n@_Foot;@_Ankle;Toes\n@_Collar;Spine3;"
     "Shoulder\n"
     "@_Shoulder;@_Collar;UpperArm\n@_Elbow;@_Shoulder;LowerArm\n@_Wrist;@_Elbow;Hand\n@_Hand;@_Wrist;\n",
     "L", "R"},
};
const int32_t rig_convention_count = sizeof rig_conventions / sizeof *rig_conventions;

// ---- Rigs ----------------------------------------------------------------------------------------------------

// Copies a field up to ; or the end of the line, with the side's word for @. Returns what follows.
static const char *read_field(const char *text, const char *side, char *field, size_t size) {
    size_t length = 0;
    for (; *text && *text != ';' && *text != '\n'; text++) {
        const char one[2] = {*text, 0};
        for (const char *c = *text == '@' ? side : one; *c; c++) {
            assert_true(length + 1 < size);
            field[length++] = *c;
        }
    }
    field[length] = 0;
    return *text ? text + 1 : text;
}

static void add_joints(rig *r, const char *lines, const char *side, const char *side_of_roles) {
    while (*lines) {
        char role[48], whole[64];
        assert_true(r->count < MAX_RIG_NODES);
        rig_node *node = &r->nodes[r->count++];
        memset(node, 0, sizeof *node);
        lines = read_field(lines, side, node->name, sizeof node->name);
        lines = read_field(lines, side, node->parent, sizeof node->parent);
        lines = read_field(lines, side, role, sizeof role);
        snprintf(whole, sizeof whole, "%s%s", role[0] ? side_of_roles : "", role);
        node->role = role[0] ? sinew_humanoid_find_role(whole) : SINEW_NO_ROLE;
        if (role[0] && node->role == SINEW_NO_ROLE) fail_msg("%s: no role %s", node->name, whole);
    }
}

rig rig_of(const rig_convention *convention) {
    rig r = {.count = 0};
    add_joints(&r, convention->trunk, "", "");
    add_joints(&r, convention->limbs, convention->left, "left");
    add_joints(&r, convention->limbs, convention->right, "right");
    return r;
}

int32_t rig_find(const rig *r, const char *name) {
    for (int32_t i = 0; i < r->count; i++)
        if (strcmp(r->nodes[i].name, name) == 0) return i;
    fail_msg("the rig has no %s", name);
    return -1;
}

void rig_remove(rig *r, const char *name) {
    const int32_t index = rig_find(r, name);
    const rig_node removed = r->nodes[index];
    for (int32_t i = index; i + 1 < r->count; i++) r->nodes[i] = r->nodes[i + 1];
    r->count--;
    for (int32_t i = 0; i < r->count; i++)
        if (strcmp(r->nodes[i].parent, removed.name) == 0)
            memcpy(r->nodes[i].parent, removed.parent, sizeof removed.parent);
}

// ---- The T-pose ----------------------------------------------------------------------------------------------

// Where the roles of the left and of no side are, metres, of a person of 1.75 m that faces +Z.
static sinew_vec3 position_of_role(int32_t role) {
    static const struct {
        int32_t role;
        sinew_vec3 position;
    } table[] = {
        {SINEW_HUMANOID_HIPS, {0, 1.0f, 0}},
        {SINEW_HUMANOID_SPINE, {0, 1.1f, 0.01f}},
        {SINEW_HUMANOID_CHEST, {0, 1.25f, 0}},
        {SINEW_HUMANOID_UPPER_CHEST, {0, 1.35f, -0.01f}},
        {SINEW_HUMANOID_NECK, {0, 1.5f, -0.02f}},
        {SINEW_HUMANOID_HEAD, {0, 1.6f, 0}},
        {SINEW_HUMANOID_LEFT_EYE, {0.03f, 1.68f, 0.09f}},
        {SINEW_HUMANOID_JAW, {0, 1.62f, 0.04f}},
        {SINEW_HUMANOID_LEFT_UPPER_LEG, {0.1f, 0.95f, 0}},
        {SINEW_HUMANOID_LEFT_LOWER_LEG, {0.1f, 0.5f, 0.01f}},
        {SINEW_HUMANOID_LEFT_FOOT, {0.1f, 0.09f, -0.02f}},
        {SINEW_HUMANOID_LEFT_TOES, {0.11f, 0.02f, 0.11f}},
        {SINEW_HUMANOID_LEFT_SHOULDER, {0.03f, 1.42f, 0}},
        {SINEW_HUMANOID_LEFT_UPPER_ARM, {0.17f, 1.42f, 0}},
        {SINEW_HUMANOID_LEFT_LOWER_ARM, {0.45f, 1.42f, -0.01f}},
        {SINEW_HUMANOID_LEFT_HAND, {0.7f, 1.42f, 0}},
    };
    const bool is_right = sinewi_humanoid_role_mirror(role) < role;
    const int32_t left = is_right ? sinewi_humanoid_role_mirror(role) : role;
    sinew_vec3 position = {0, 0, 0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].role == left) position = table[i].position;
    if (left >= SINEW_HUMANOID_LEFT_THUMB_METACARPAL) {
        const int32_t finger = (left - SINEW_HUMANOID_LEFT_THUMB_METACARPAL) / 3;
        const int32_t joint = (left - SINEW_HUMANOID_LEFT_THUMB_METACARPAL) % 3;
        position = (sinew_vec3){0.78f + 0.03f * (float)joint, 1.42f, 0.04f - 0.02f * (float)finger};
    }
    if (is_right) position.x = -position.x;
    return position;
}

static sinew_vec3 place(sinew_vec3 p, const rig_variant *variant) {
    if (variant->turned) p = (sinew_vec3){-p.x, p.y, -p.z};
    if (variant->up == SINEW_UP_Z) p = (sinew_vec3){p.x, -p.z, p.y};
    return sinew_vec3_scale(p, variant->scale);
}

// The nearest ancestor with a role is where a joint without one is.
static sinew_vec3 position_of_node(const rig *r, int32_t node) {
    while (r->nodes[node].role == SINEW_NO_ROLE) {
        if (!r->nodes[node].parent[0]) return (sinew_vec3){0, 0, 0};
        node = rig_find(r, r->nodes[node].parent);
    }
    return position_of_role(r->nodes[node].role);
}

static void shuffle(int32_t *order, int32_t count, uint64_t seed) {
    for (int32_t i = 0; i < count; i++) order[i] = i;
    for (int32_t i = count - 1; i > 0 && seed; i--) {
        const int32_t k = (int32_t)(random_next(&seed) % (uint32_t)(i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

sinew_skeleton *rig_skeleton(const rig *r, const rig_variant *variant, int32_t *sources) {
    sinew_node_def defs[MAX_RIG_NODES] = {0};
    sinew_affine frames[MAX_RIG_NODES]; // in model space
    uint64_t seed = 5;
    shuffle(sources, r->count, variant->order);
    for (int32_t i = 0; i < r->count; i++) {
        sinew_transform frame = sinew_transform_identity();
        frame.translation = place(position_of_node(r, i), variant);
        if (variant->rotated) frame.rotation = random_quat(&seed);
        frames[i] = sinew_affine_from_transform(frame);
    }
    for (int32_t i = 0; i < r->count; i++) {
        sinew_node_def *def = &defs[sources[i]];
        const int32_t parent = r->nodes[i].parent[0] ? rig_find(r, r->nodes[i].parent) : -1;
        def->name = r->nodes[i].name;
        def->parent = parent < 0 ? SINEW_NO_NODE : sources[parent];
        def->rest = sinew_affine_decompose(
            parent < 0 ? frames[i] : sinew_affine_multiply(sinew_affine_inverse(frames[parent]), frames[i]));
        def->rest.translation = sinew_vec3_add(def->rest.translation, r->nodes[i].move);
    }
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = r->count;
    def.nodes = defs;
    sinew_skeleton *skeleton;
    sinew_error error = {0};
    if (sinew_skeleton_create(&def, &skeleton, &error) != SINEW_OK) fail_msg("%s", error.message);
    return skeleton;
}
