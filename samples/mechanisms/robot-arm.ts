/** A table-top arm of six hinges, 0.9 m long when stretched: base, shoulder, elbow, and a wrist of three. */
export const robotArmUrdf = `<?xml version="1.0"?>
<robot name="table arm">
  <link name="pedestal">
    <collision><origin xyz="0 0.06 0" rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.09" length="0.12"/></geometry></collision>
  </link>
  <link name="turret">
    <inertial><origin xyz="0 0.06 0"/><mass value="3"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0.05 0" rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.075" length="0.1"/></geometry></collision>
    <collision><origin xyz="0 0.11 0"/><geometry><sphere radius="0.07"/></geometry></collision>
  </link>
  <link name="upper arm">
    <inertial><origin xyz="0 0.19 0"/><mass value="2.2"/><inertia ixx="0.03" iyy="0.004" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0.19 0" rpy="1.5707963267948966 0 0"/><geometry><capsule radius="0.05" length="0.38"/></geometry></collision>
  </link>
  <link name="forearm">
    <inertial><origin xyz="0 0.15 0"/><mass value="1.3"/><inertia ixx="0.012" iyy="0.002" izz="0.012" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0.15 0" rpy="1.5707963267948966 0 0"/><geometry><capsule radius="0.04" length="0.3"/></geometry></collision>
  </link>
  <link name="wrist">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.045"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial><origin xyz="0 0.05 0"/><mass value="0.4"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0.05 0"/><geometry><box size="0.05 0.08 0.05"/></geometry></collision>
  </link>
  <link name="tool">
    <inertial><origin xyz="0 0.03 0"/><mass value="0.1"/><inertia ixx="0.0005" iyy="0.0005" izz="0.0005" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0.03 0"/><geometry><sphere radius="0.03"/></geometry></collision>
  </link>

  <joint name="turn" type="continuous">
    <parent link="pedestal"/><child link="turret"/><origin xyz="0 0.12 0"/><axis xyz="0 1 0"/><dynamics damping="1.5"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <parent link="turret"/><child link="upper arm"/><origin xyz="0 0.11 0"/><axis xyz="0 0 1"/>
    <limit lower="-1.9" upper="1.9" effort="150" velocity="3"/><dynamics damping="1.5"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper arm"/><child link="forearm"/><origin xyz="0 0.38 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="100" velocity="3"/><dynamics damping="1"/>
  </joint>
  <joint name="roll" type="continuous">
    <parent link="forearm"/><child link="wrist"/><origin xyz="0 0.34 0"/><axis xyz="0 1 0"/><dynamics damping="0.2"/>
  </joint>
  <joint name="bend" type="revolute">
    <parent link="wrist"/><child link="hand"/><axis xyz="0 0 1"/>
    <limit lower="-1.8" upper="1.8" effort="20" velocity="5"/><dynamics damping="0.2"/>
  </joint>
  <joint name="spin" type="continuous">
    <parent link="hand"/><child link="tool"/><origin xyz="0 0.09 0"/><axis xyz="0 1 0"/><dynamics damping="0.1"/>
  </joint>
</robot>`;
