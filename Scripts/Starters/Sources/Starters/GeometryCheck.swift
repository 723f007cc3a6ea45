/// How far a structure is from its ideal geometry.
struct GeometryCheck {
  /// The largest difference of a bond from its ideal length, in ångström.
  private(set) var worstLength = 0.0
  /// The largest difference of an angle from the ideal, in degrees.
  private(set) var worstAngle = 0.0
  /// The smallest distance of two heavy atoms more than two bonds apart, in ångström.
  private(set) var nearestContact = Double.infinity
  /// Centres of the wrong hand.
  private(set) var wrongCenters = 0
  private var worstAngleName = ""
  private var worstLengthName = ""
  private var nearestName = ""

  init(_ structure: Structure) {
    func place(_ atom: Int) -> Vector { structure.atoms[atom].position }
    func name(_ atom: Int) -> String {
      let residue = structure.residues[structure.atoms[atom].residue]
      return "\(residue.chain)\(residue.number).\(residue.name).\(structure.atoms[atom].name)"
    }
    for bond in structure.bonds {
      let off = abs((place(bond.first) - place(bond.second)).length - bond.length)
      if off > worstLength { (worstLength, worstLengthName) = (off, "\(name(bond.first))-\(name(bond.second))") }
    }
    for ideal in structure.angles {
      let off = abs(angle(place(ideal.first), place(ideal.center), place(ideal.second)) - ideal.degrees)
      guard off > worstAngle else { continue }
      (worstAngle, worstAngleName) = (off, "\(name(ideal.first))-\(name(ideal.center))-\(name(ideal.second))")
    }
    for pair in Contacts(structure).pairs
    where structure.atoms[pair.first].element != "H" && structure.atoms[pair.second].element != "H" {
      let distance = (place(pair.first) - place(pair.second)).length
      if distance < nearestContact {
        (nearestContact, nearestName) = (distance, "\(name(pair.first))-\(name(pair.second))")
      }
    }
    for center in structure.chirality {
      let a = place(center.first) - place(center.center)
      let b = place(center.second) - place(center.center)
      let c = place(center.third) - place(center.center)
      // Half the volume of an ideal centre is the least that counts as a tetrahedron.
      let volume = dot(a, cross(b, c)) * (center.isPositive ? 1 : -1)
      if volume < 1.25 { wrongCenters += 1 }
    }
  }

  /// Whether bonds are within 0.05 Å and angles within 6° of the ideal, contacts at least 2.4 Å and all centres right.
  var isSane: Bool {
    worstLength < 0.05 && worstAngle < 6 && nearestContact > 2.4 && wrongCenters == 0
  }

  var summary: String {
    """
    bonds within \(fixed(worstLength, 3)) Å (\(worstLengthName)), angles within \(fixed(worstAngle, 1))° \
    (\(worstAngleName)), contacts from \(fixed(nearestContact, 2)) Å (\(nearestName)), \
    \(wrongCenters) centers of the wrong handedness
    """
  }
}
