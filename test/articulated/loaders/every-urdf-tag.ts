/** A tetrahedron in STL, as text. */
export const stl = `solid t
${[
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
]
  .map(
    (face) => `facet normal 0 0 0
outer loop
${face.map((i) => `vertex ${["0 0 0", "1 0 0", "0 1 0", "0 0 1"][i]}`).join("\n")}
endloop
endfacet`,
  )
  .join("\n")}
endsolid t`;

/** A file with each tag of URDF. */
export const everyUrdfTag = `<?xml version="1.0"?>
<robot name="every tag" version="1.0" xmlns:xacro="http://ros.org/wiki/xacro">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2" rpy="0 0 1.5"/><mass value="2"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0.01" ixz="0" iyz="0"/></inertial>
    <visual name="look"><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.2 0.3"/></geometry><material name="blue"/>
    </visual>
    <visual><geometry><mesh filename="package://arm/hand.stl" scale="2 2 2"/></geometry>
      <material name="own"><color rgba="1 0 0 0.5"/><texture filename="a.png"/></material></visual>
    <visual><geometry><mesh filename="package://arm/missing.dae"/></geometry></visual>
    <collision name="tube"><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision>
    <collision><geometry><mesh filename="package://arm/hand.stl"/></geometry></collision>
  </link>
  <link name="left"><inertial><mass value="0.5"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="right"><inertial><mass value="0.4"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <link name="puck"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial><collision><geometry><capsule radius="0.1" length="1"/>
    </geometry></collision></link>
  <link name="bird"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <link name="camera"/>
  <link name="lens"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0.5 0 0.25"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="50" velocity="3"/><dynamics damping="0.7" friction="0.2"/>
    <calibration rising="0"/><safety_controller k_velocity="1"/></joint>
  <joint name="finger" type="prismatic"><parent link="upper"/><child link="left"/>
    <limit lower="0" upper="0.3" effort="0" velocity="0"/></joint>
  <joint name="other finger" type="prismatic"><parent link="upper"/><child link="right"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.6" effort="20" velocity="0"/><mimic joint="finger" multiplier="2" offset="0.1"/></joint>
  <joint name="glide" type="planar"><parent link="base"/><child link="puck"/><axis xyz="0 0 1"/></joint>
  <joint name="fly" type="floating"><parent link="base"/><child link="bird"/></joint>
  <joint name="eye" type="continuous"><parent link="upper"/><child link="camera"/><axis xyz="0 0 1"/></joint>
  <joint name="mount" type="fixed"><parent link="camera"/><child link="lens"/><origin xyz="0.1 0 0"/></joint>
  <transmission name="t"><type>simple</type><joint name="shoulder"/></transmission>
  <gazebo reference="upper"/>
</robot>`;
