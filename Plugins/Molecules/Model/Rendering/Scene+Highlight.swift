extension Scene {
  /// Returns the scene with all but the selected atoms faded to a gray near the background.
  ///
  /// Parts that belong to no atom fade too.
  /// - Complexity: linear in the parts.
  func highlighting(_ selection: AtomSelection, on background: RGBColor = .black) -> Scene {
    var scene = self
    for index in scene.spheres.indices where !selection[Int(scene.spheres[index].atom)] {
      scene.spheres[index].color = scene.spheres[index].color.faded(on: background)
    }
    for index in scene.cylinders.indices {
      if !selection[Int(scene.cylinders[index].startAtom)] {
        scene.cylinders[index].startColor = scene.cylinders[index].startColor.faded(on: background)
      }
      if !selection[Int(scene.cylinders[index].endAtom)] {
        scene.cylinders[index].endColor = scene.cylinders[index].endColor.faded(on: background)
      }
    }
    let corners = min(scene.mesh.atoms.count, scene.mesh.colors.count)
    for index in 0..<corners where !selection[Int(scene.mesh.atoms[index])] {
      scene.mesh.colors[index] = scene.mesh.colors[index].faded(on: background)
    }
    return scene
  }
}

extension RGBColor {
  /// Returns the color of an unselected part: two fifths of its own color, mixed with a gray near the background.
  ///
  /// - Source: luma weights of ITU-R BT.601 in 256ths.
  func faded(on background: RGBColor) -> RGBColor {
    // A tenth of the way from the background to the opposite brightness keeps faded parts visible.
    let offset = background.luma < 128 ? 24 : -24
    let luma = self.luma
    func channel(_ value: UInt8, _ behind: UInt8) -> UInt8 {
      UInt8(clamping: (3 * Int(value) + luma) / 10 + Int(behind) * 3 / 5 + offset)
    }
    return RGBColor(
      red: channel(red, background.red), green: channel(green, background.green),
      blue: channel(blue, background.blue))
  }

  private var luma: Int { (77 * Int(red) + 150 * Int(green) + 29 * Int(blue)) >> 8 }
}
