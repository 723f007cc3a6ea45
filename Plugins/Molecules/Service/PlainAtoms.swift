/// Adds the atoms of formats that have elements and positions only: no residues, chains or atom names.
///
/// All atoms of a model are one residue `UNL` (unknown ligand) of number 1 in a chain without a name; an atom's name
/// consists of its element and its number among those of the element in the model: `C1`, `C2`, `O1`.
struct PlainAtoms {
  var builder: StructureBuilder
  private var counts = [Int](repeating: 0, count: 256)
  private var usedElements: [Element] = []
  /// Names by element and number, so that the models of a trajectory create each once.
  private var names = [[NameID]](repeating: [], count: 256)
  private var residueName: NameID
  private var chain: NameID

  init(expectedAtoms: Int) {
    builder = StructureBuilder(expectedAtoms: expectedAtoms)
    residueName = builder.names.intern("UNL")
    chain = builder.chainNames.intern("")
  }

  /// Begins a model.
  mutating func beginModel(number: Int) {
    builder.beginModel(number: number)
    for element in usedElements { counts[Int(element.rawValue)] = 0 }
    usedElements.removeAll(keepingCapacity: true)
  }

  /// Adds an atom to the open model.
  ///
  /// - Returns: Its index in the structure, 0-based.
  @discardableResult
  mutating func add(_ element: Element, _ position: SIMD3<Double>, charge: Int8 = 0, serial: Int) -> Int {
    var record = AtomRecord()
    (record.x, record.y, record.z) = (position.x, position.y, position.z)
    record.element = element
    record.name = name(element)
    record.serial = Int32(truncatingIfNeeded: serial)
    record.charge = charge
    record.isHetero = true
    record.chain = chain
    record.residueName = residueName
    record.residueNumber = 1
    builder.add(record)
    return builder.atoms.count - 1
  }

  private mutating func name(_ element: Element) -> NameID {
    let code = Int(element.rawValue)
    if counts[code] == 0 { usedElements.append(element) }
    counts[code] += 1
    if names[code].count < counts[code] {
      names[code].append(builder.names.intern("\(element.symbol.uppercased())\(counts[code])"))
    }
    return names[code][counts[code] - 1]
  }
}
