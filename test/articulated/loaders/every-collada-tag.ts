/** The tetrahedron of `stl` in COLLADA, in decimeters: triangles, polygons, and nodes with transforms of all kinds. */
export const collada = `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="decimeter" meter="0.1"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
      <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="1"><input semantic="NORMAL" source="#p" offset="1"/><input semantic="VERTEX" source="#v" offset="0"/>
      <p>0 9 2 9 1 9</p></triangles>
    <polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 1 3 0 3 2</p></polylist>
    <polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>1 2 3</p></polygons>
    <lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s">
    <node><scale>2 2 2</scale><translate>1 0 0</translate>
      <node><rotate>0 0 2 90</rotate><matrix>1 0 0 0  0 1 0 0  0 0 1 3  0 0 0 1</matrix><instance_geometry url="#g"/></node>
      <instance_camera url="#c"/></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`;
