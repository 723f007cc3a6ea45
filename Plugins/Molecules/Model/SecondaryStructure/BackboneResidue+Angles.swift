extension BackboneResidue {
  /// Returns the angles phi and psi of residues in degrees, -180...180, by index; NaN at the ends of a chain and beside
  /// a break.
  ///
  /// - Parameter residues: All residues of a model that DSSP considers, in order.
  static func angles(of residues: [BackboneResidue]) -> (phi: [Double], psi: [Double]) {
    let all = residues.indices.map { place -> (phi: Double, psi: Double) in
      let own = residues[place]
      var angles = (phi: Double.nan, psi: Double.nan)
      if place > 0, isUnbroken(residues[place - 1], own, steps: 1) {
        angles.phi = dihedral(residues[place - 1].carbon, own.nitrogen, own.alphaCarbon, own.carbon)
      }
      if place + 1 < residues.count, isUnbroken(own, residues[place + 1], steps: 1) {
        angles.psi = dihedral(own.nitrogen, own.alphaCarbon, own.carbon, residues[place + 1].nitrogen)
      }
      return angles
    }
    return (all.map(\.phi), all.map(\.psi))
  }

  private static func dihedral(
    _ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>, _ fourth: SIMD3<Float>
  ) -> Double {
    let points = [first, second, third, fourth].map { SIMD3<Double>($0) }
    return MeasuredQuantity.dihedral.value(points) ?? .nan
  }
}
