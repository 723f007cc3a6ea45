/// Builds atoms from the columns of _atom_site, as `CIFAtomReader` does from rows of text.
struct BinaryCIFAtoms {
  /// The x coordinates; atoms without a value for x, y or z are skipped.
  private let x: [Double]
  private let y: [Double]
  private let z: [Double]
  private let occupancies: [Double]
  private let bFactors: [Double]
  private let serials: [Int32]
  private let charges: [Int32]
  private let models: [Int32]
  private let numbers: [Int32]
  private let labelNumbers: [Int32]
  private var names: BinaryCIFNames?
  private var residueNames: [BinaryCIFNames]
  private var chains: [BinaryCIFNames]
  private let labels: BinaryCIFNames?
  private let altlocs: [UInt8]
  private let insertionCodes: [UInt8]
  private let groups: [UInt8]
  private let elements: (table: [Element], indices: [Int32])

  /// For each residue true if it is part of a polymer, as stated by label_seq_id; nil if no residue has one.
  var polymerResidues: [Bool]? { hasPolymerData ? residueFlags : nil }
  private var residueFlags: [Bool] = []
  private var hasPolymerData = false
  private var modelNumber = Int.min
  private var label: Int32 = -1
  private var labelChains = -1

  /// The items in use, in lower case.
  static let items: Set<String> = [
    "group_pdb", "id", "type_symbol", "label_atom_id", "auth_atom_id", "label_alt_id", "auth_comp_id", "label_comp_id",
    "auth_asym_id", "label_asym_id", "auth_seq_id", "label_seq_id", "pdbx_pdb_ins_code", "cartn_x", "cartn_y",
    "cartn_z", "occupancy", "b_iso_or_equiv", "pdbx_formal_charge", "pdbx_pdb_model_num",
  ]

  /// Creates a reader of decoded columns by item; fails if there is no column for x, y or z.
  init?(_ columns: [String: BinaryCIFColumn]) {
    guard let x = columns["cartn_x"], let y = columns["cartn_y"], let z = columns["cartn_z"] else { return nil }
    func names(_ items: String...) -> [BinaryCIFNames] {
      items.compactMap { columns[$0].map(BinaryCIFNames.init) }
    }
    func integers(_ item: String) -> [Int32] { columns[item]?.integers() ?? [] }
    func bytes(_ item: String) -> [UInt8] {
      guard let column = columns[item].map(BinaryCIFNames.init) else { return [] }
      return column.indices.indices.map(column.firstByte)
    }
    (self.x, self.y, self.z) = (x.numbers(), y.numbers(), z.numbers())
    occupancies = columns["occupancy"]?.numbers() ?? []
    bFactors = columns["b_iso_or_equiv"]?.numbers() ?? []
    serials = integers("id")
    charges = integers("pdbx_formal_charge")
    models = integers("pdbx_pdb_model_num")
    // Author numbers take precedence; label numbers are used if they are missing.
    labelNumbers = integers("label_seq_id")
    numbers = columns["auth_seq_id"] == nil ? labelNumbers : integers("auth_seq_id")
    self.names = names("label_atom_id", "auth_atom_id").first
    residueNames = names("auth_comp_id", "label_comp_id")
    chains = names("auth_asym_id", "label_asym_id")
    labels = names("label_asym_id").first
    altlocs = bytes("label_alt_id")
    insertionCodes = bytes("pdbx_pdb_ins_code")
    groups = bytes("group_pdb")
    let symbols = names("type_symbol").first
    elements = (symbols?.texts.map { Element(symbol: $0) ?? .unknown } ?? [], symbols?.indices ?? [])
  }

  /// The number of rows.
  var count: Int { x.count }

  /// Adds all atoms.
  ///
  /// - Returns: The number of rows skipped because they have no coordinates.
  mutating func add(to builder: inout StructureBuilder) -> Int {
    (0..<count).count { !addAtom($0, to: &builder) }
  }

  private mutating func addAtom(_ row: Int, to builder: inout StructureBuilder) -> Bool {
    let limit = NumberText.largestCoordinate
    // NaN fails all three comparisons.
    guard abs(x[row]) < limit, abs(y[row]) < limit, abs(z[row]) < limit else { return false }
    var record = AtomRecord()
    (record.x, record.y, record.z) = (x[row], y[row], z[row])
    enterModel(row, &builder)
    if !occupancies.isEmpty, !occupancies[row].isNaN { record.occupancy = Float(occupancies[row]) }
    if !bFactors.isEmpty, !bFactors[row].isNaN { record.bFactor = Float(bFactors[row]) }
    if !serials.isEmpty, serials[row] != .min { record.serial = serials[row] }
    if !groups.isEmpty { record.isHetero = groups[row] | 32 == 104 }
    readResidue(row, &record, &builder)
    record.name = names?.name(row, &builder.names) ?? builder.names.intern(packed: 0)
    record.element = element(row, record, builder)
    if !altlocs.isEmpty { record.altloc = altlocs[row] }
    if !charges.isEmpty, charges[row] != .min { record.charge = Int8(clamping: charges[row]) }
    let residues = builder.residues.count
    builder.add(record)
    if builder.residues.count != residues { noteResidue(row) }
    noteLabel(row, &builder)
    return true
  }

  private mutating func readResidue(_ row: Int, _ record: inout AtomRecord, _ builder: inout StructureBuilder) {
    record.residueName = Self.first(&residueNames, row, &builder.names)
    record.chain = Self.first(&chains, row, &builder.chainNames)
    if !numbers.isEmpty, numbers[row] != .min {
      record.residueNumber = numbers[row]
    } else if !labelNumbers.isEmpty, labelNumbers[row] != .min {
      record.residueNumber = labelNumbers[row]
    }
    if !insertionCodes.isEmpty { record.insertionCode = insertionCodes[row] }
  }

  /// Returns the first of several names that a row has, else the empty one.
  @inline(__always)
  private static func first(_ columns: inout [BinaryCIFNames], _ row: Int, _ names: inout NameTable) -> NameID {
    for index in columns.indices {
      if let name = columns[index].name(row, &names) { return name }
    }
    return names.intern(packed: 0)
  }

  private mutating func enterModel(_ row: Int, _ builder: inout StructureBuilder) {
    let number = models.isEmpty || models[row] == .min ? 1 : Int(models[row])
    guard number != modelNumber else { return }
    modelNumber = number
    builder.beginModel(number: number)
  }

  private func element(_ row: Int, _ record: AtomRecord, _ builder: StructureBuilder) -> Element {
    if !elements.indices.isEmpty, elements.indices[row] >= 0 { return elements.table[Int(elements.indices[row])] }
    return CIFAtomReader.element(of: record, builder.names)
  }

  private mutating func noteResidue(_ row: Int) {
    let isPolymer = !labelNumbers.isEmpty && labelNumbers[row] != .min
    if isPolymer { hasPolymerData = true }
    residueFlags.append(isPolymer)
  }

  private mutating func noteLabel(_ row: Int, _ builder: inout StructureBuilder) {
    guard let labels, labels.indices[row] != label || labelChains != builder.chains.count else { return }
    (label, labelChains) = (labels.indices[row], builder.chains.count)
    if label >= 0 { builder.addLabel(labels.texts[Int(label)]) }
  }
}
