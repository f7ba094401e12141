/** An included file of `everyTag`. */
export const included = `<mujocoinclude>
  <default><default class="arm"><joint damping="0.3" stiffness="4" springref="0.1"/></default></default>
  <asset><material name="red" rgba="1 0 0 0.5"/></asset>
</mujocoinclude>`;

const tetrahedron = 'vertex="0 0 0 0.5 0 0 0 0.25 0 0 0 0.375"';
const faces = 'face="0 2 1 0 1 3 0 3 2 1 2 3"';

/**
 * A file with each tag and attribute of MJCF that changes the motion of hinges and slides. Constraints are disabled for
 * comparisons: MuJoCo's are soft.
 */
export const everyTag = `<mujoco model="every tag">
  <compiler angle="radian" eulerseq="XYZ" autolimits="true" inertiafromgeom="auto" balanceinertia="true"
    boundmass="0.4" boundinertia="0.002" settotalmass="30" inertiagrouprange="0 3" meshdir="parts" strippath="true"/>
  <option gravity="0.3 -1 -9.8" timestep="0.004">
    <flag contact="disable" limit="disable" equality="disable" frictionloss="disable"/>
  </option>
  <include file="classes.xml"/>
  <default>
    <joint armature="0.02" damping="0.1"/>
    <geom density="700"/>
    <mesh scale="1 1.25 0.75"/>
    <general forcerange="-40 50"/>
    <equality solref="0.01 1"/>
    <default class="leg">
      <joint damping="0.5" frictionloss="0.4"/>
      <geom type="capsule" size="0.04"/>
      <position kp="30" ctrlrange="-1 2"/>
      <default class="foot"><geom type="box" size="0.1 0.05 0.02" contype="2" conaffinity="4" group="3"/></default>
    </default>
  </default>
  <asset>
    <mesh name="wedge" ${tetrahedron} ${faces} refpos="0.125 0 0.5" refquat="0 1 0 0" inertia="exact"/>
    <mesh name="open" ${tetrahedron} face="0 2 1 0 1 3 0 3 2" scale="1 1 1"/>
    <mesh name="thin" ${tetrahedron} ${faces} inertia="shell"/>
    <mesh name="hull" vertex="0 0 0 0.5 0 0 0 0.25 0 0 0 0.375 0.25 0.25 0.25 0.125 0.125 0.125" inertia="convex"/>
    <mesh file="deep/block.obj" scale="0.125 0.25 0.375"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 0.1"/>
    <frame pos="0 0.1 0.7" euler="0.1 0.2 0.3" childclass="arm">
      <body name="trunk" pos="0.2 0 0" axisangle="0 1 1 0.4" gravcomp="0.4">
        <frame pos="0.1 0 0.2" zaxis="0.1 0.3 1">
          <joint name="x" type="slide" axis="1 0 0.5"/>
          <joint name="z" type="slide" axis="0 0 2" ref="0.7" actuatorfrcrange="-9 9"/>
          <joint name="pitch" axis="0 1 0" pos="0.1 0.2 0.1" ref="0.3"/>
          <geom name="tube" type="capsule" fromto="-0.5 0 0.1 0.5 0.1 0" size="0.05" material="red"/>
          <site name="tip" pos="0.5 0 0"/>
        </frame>
        <geom type="sphere" size="0.1" pos="0.5 0 0" mass="1" rgba="0 1 0 1" contype="0" conaffinity="0"/>
        <geom type="sphere" size="0.4" group="5"/>
        <replicate count="3" offset="0.1 0.2 0" euler="0 0.5 1" sep="_">
          <body name="leg" pos="-0.5 0 0" childclass="leg" xyaxes="1 1 0 0 1 1">
            <joint name="hip" axis="0 1 1" pos="0 0 0.05" range="-0.5 1"/>
            <geom fromto="0 0 0 0.1 0 -0.4"/>
            <geom type="cylinder" size="0.05 0.2" euler="0.3 0 0.1"/>
            <geom type="ellipsoid" size="0.1 0.2 0.05" pos="0.1 0 0"/>
            <geom type="box" fromto="0 0 0 0 0.1 0.3" size="0.05 0.02"/>
            <geom type="cylinder" fromto="0 0 0 0 0.1 0.3" size="0.05"/>
            <geom type="ellipsoid" fromto="0 0 0 0.2 0.1 0.3" size="0.05 0.03"/>
            <body name="foot" pos="0 0 -0.4" gravcomp="1">
              <joint name="ankle" axis="1 0 0"/>
              <geom class="foot" pos="0.03 0 0"/>
              <frame pos="0 0.01 0" quat="0.9 0.1 0 0.1">
                <inertial pos="0.1 0 0.02" mass="1" diaginertia="0.03 0.02 0.025" quat="0.8 0.2 0.1 0.4"/>
              </frame>
            </body>
          </body>
        </replicate>
        <body name="head" pos="0.3 0 0.4">
          <joint name="neck" axis="1 2 0" type="hinge"/><site name="chin" pos="0 0.1 0"/>
          <geom type="mesh" mesh="wedge" pos="0.1 0 0" euler="1 0 0"/>
          <geom type="mesh" mesh="open" pos="0 0.1 0"/>
          <geom mesh="hull" pos="0 0.1 0"/>
          <geom type="mesh" mesh="thin" mass="0.3"/>
          <geom type="mesh" mesh="hull" pos="0 -0.1 0"/>
          <geom type="mesh" mesh="block" pos="0 0 0.2" group="4"/>
          <geom type="mesh" mesh="block" pos="0 0 0.3"/>
          <geom type="sphere" mesh="wedge"/>
          <geom type="capsule" mesh="wedge" pos="0.1 0.2 0.3" quat="0.8 0.6 0 0"/>
          <geom type="cylinder" mesh="hull" fitscale="0.9"/>
          <geom type="box" mesh="hull" pos="0 0.2 0"/>
          <geom type="ellipsoid" mesh="open" euler="0.2 0.4 0.1"/>
          <body name="hat" pos="0 0 0.1">
            <inertial pos="0 0 0.1" mass="0.1" fullinertia="0.01 0.01 0.05 0.001 0 0"/>
            <joint name="tilt" axis="0 1 0" actuatorfrcrange="-20 20"/>
          </body>
        </body>
      </body>
    </frame>
  </worldbody>
  <contact><exclude body1="head" body2="trunk"/></contact>
  <equality>
    <joint joint1="neck" joint2="tilt" polycoef="0.1 2 0.3"/>
    <joint joint1="z" active="false"/>
  </equality>
  <tendon><fixed name="both"><joint joint="hip_0" coef="0.5"/><joint joint="neck" coef="-2"/></fixed>
    <spatial name="rope" stiffness="20" damping="0.3" springlength="0.2 0.5"><site site="tip"/><site site="chin"/>
      <pulley divisor="2"/><site site="chin"/><site site="tip"/></spatial></tendon>
  <actuator>
    <motor name="push" joint="x" gear="-12" ctrlrange="-1 0.5"/>
    <position name="hips" joint="hip" class="leg" kv="2"/>
    <velocity name="nod" joint="neck" kv="3" gear="2"/>
    <general name="raw" joint="pitch" gainprm="4" biastype="affine" biasprm="1 -2 -3" forcelimited="false"/>
    <position name="ratio" joint="tilt" kp="5" dampratio="0.7" gear="3"/>
    <motor name="pull" tendon="both" gear="1.5"/>
  </actuator>
  <keyframe><key name="home" qpos="0 1 0.2 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8" ctrl="1 2 3 4 5 6 7 8"/></keyframe>
</mujoco>`;

/** The mesh that `everyTag` has in a file. */
export const block = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;
