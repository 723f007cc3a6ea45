/// The displacement tensors of _atom_site_anisotrop, by the serial number of their atoms.
struct CIFAnisotropy {
  private var entries: [(serial: Int32, tensor: Anisotropy)] = []

  /// Adds a tensor; its atom index is not used yet.
  mutating func add(serial: Int, _ tensor: Anisotropy) {
    entries.append((Int32(truncatingIfNeeded: serial), tensor))
  }

  /// Finds the atoms of the tensors, which have the same order in nearly all files, and adds the tensors to the
  /// builder.
  func resolve(into builder: inout StructureBuilder) {
    var cursor = 0
    var atoms: [Int32: Int32] = [:]
    let serials = builder.atoms.serial
    var found: [Anisotropy] = []
    for (serial, tensor) in entries {
      var next = tensor
      while cursor < serials.count, serials[cursor] < serial { cursor += 1 }
      if cursor < serials.count, serials[cursor] == serial {
        next.atom = Int32(cursor)
      } else {
        if atoms.isEmpty {
          for (atom, number) in serials.enumerated() where atoms[number] == nil { atoms[number] = Int32(atom) }
        }
        guard let atom = atoms[serial] else { continue }
        next.atom = atom
      }
      found.append(next)
    }
    found.sort { $0.atom < $1.atom }
    for tensor in found { builder.addAnisotropy(tensor) }
  }
}
