extension Scene {
  /// The scene with all but the parts of selected atoms faded to dark grey.
  ///
  /// Parts that belong to no atom fade too.
  /// - Complexity: linear in the parts.
  func highlighting(_ selection: AtomSelection) -> Scene {
    var scene = self
    for index in scene.spheres.indices where !selection[Int(scene.spheres[index].atom)] {
      scene.spheres[index].color = scene.spheres[index].color.faded
    }
    for index in scene.cylinders.indices {
      if !selection[Int(scene.cylinders[index].startAtom)] {
        scene.cylinders[index].startColor = scene.cylinders[index].startColor.faded
      }
      if !selection[Int(scene.cylinders[index].endAtom)] {
        scene.cylinders[index].endColor = scene.cylinders[index].endColor.faded
      }
    }
    let corners = min(scene.mesh.atoms.count, scene.mesh.colors.count)
    for index in 0..<corners where !selection[Int(scene.mesh.atoms[index])] {
      scene.mesh.colors[index] = scene.mesh.colors[index].faded
    }
    return scene
  }
}

extension RGBColor {
  /// The colour of what is not selected: a fifth of its own, the rest dark grey.
  ///
  /// - Source: luma weights of ITU-R BT.601 in 256ths.
  var faded: RGBColor {
    let luma = (77 * Int(red) + 150 * Int(green) + 29 * Int(blue)) >> 8
    func channel(_ value: UInt8) -> UInt8 { UInt8(clamping: (Int(value) + luma) / 10 + 24) }
    return RGBColor(red: channel(red), green: channel(green), blue: channel(blue))
  }
}
