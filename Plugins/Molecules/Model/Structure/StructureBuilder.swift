/// One atom as found by a reader, before it has a position in the hierarchy.
struct AtomRecord {
  var x = 0.0
  var y = 0.0
  var z = 0.0
  var occupancy: Float = 1
  var bFactor: Float = 0
  var element = Element.unknown
  var name: NameID = 0
  var altloc: UInt8 = 0
  var serial = AtomTable.missingSerial
  var charge: Int8 = 0
  var isHetero = false
  /// The index of the chain's author name in the builder's chain names.
  var chain: NameID = 0
  var residueNumber: Int32 = 0
  var insertionCode: UInt8 = 0
  var residueName: NameID = 0
  /// The segment name of PDB files, as four bytes; distinguishes residues of one number.
  var segment: UInt32 = 0x2020_2020
}

/// Builds models, chains and residues from atoms in file order.
///
/// Atoms of one residue that are scattered in the file (alternate conformers written block after block, two residue
/// types at one position written in turns) are gathered in one residue. There is one chain per author name and model.
struct StructureBuilder {
  private var table = AtomTable()
  private var stage = AtomStage()
  private(set) var residues: [Residue] = []
  private(set) var chains: [Chain] = []
  private(set) var models: [StructureModel] = []
  private(set) var labelRuns: [LabelRun] = []
  var names = NameTable()
  var chainNames = NameTable()

  private var currentResidue: Int32 = -1
  private var currentKey = ResidueKey()
  /// The chain index by chain name within the open model, -1 if there is none.
  private var chainOfName: [Int32] = []
  private var openChainNames: [NameID] = []
  private var index = ResidueKeyIndex()
  private var isScattered = false
  private var isModelOpen = false

  init(expectedAtoms: Int) {
    table.reserve(expectedAtoms)
    residues.reserveCapacity(expectedAtoms / 6)
  }

  /// The number of atoms added so far.
  var atomCount: Int { table.count + stage.count }

  /// The serial number of the last added atom; nil if there is none yet.
  var lastSerial: Int32? { stage.lastSerial ?? table.serial.last }

  /// The last added anisotropic displacement.
  var lastAnisotropy: Anisotropy? { table.anisotropy.last }

  /// The atoms added so far; accessing them for every atom is slow.
  var atoms: AtomTable {
    mutating get {
      moveStage()
      return table
    }
  }

  /// A Boolean value indicating whether a model is open for atoms.
  var isInModel: Bool { isModelOpen }

  /// The number of atoms in the open model.
  var atomsInModel: Int { isModelOpen ? atomCount - (models.last?.atoms.lowerBound ?? 0) : 0 }

  /// Begins a model, ending the previous one.
  mutating func beginModel(number: Int) {
    endModel()
    models.append(
      StructureModel(
        number: number, chains: chains.count..<chains.count, residues: residues.count..<residues.count,
        atoms: atomCount..<atomCount))
    isModelOpen = true
    currentResidue = -1
    for name in openChainNames { chainOfName[Int(name)] = -1 }
    openChainNames.removeAll(keepingCapacity: true)
    index.removeAll()
  }

  /// Ends the open model; a model without atoms is kept only if it is the only one.
  mutating func endModel() {
    guard isModelOpen, var model = models.popLast() else { return }
    isModelOpen = false
    currentResidue = -1
    model.chains = model.chains.lowerBound..<chains.count
    model.residues = model.residues.lowerBound..<residues.count
    model.atoms = model.atoms.lowerBound..<atomCount
    if !model.atoms.isEmpty { models.append(model) }
  }

  /// Adds an atom to the open model.
  ///
  /// - Complexity: amortized constant.
  @inline(__always)
  mutating func add(_ record: AtomRecord) {
    let key = ResidueKey(
      chain: record.chain, name: record.residueName, number: record.residueNumber,
      insertionCode: record.insertionCode, segment: record.segment)
    if currentResidue < 0 || key != currentKey { enterResidue(key, record) }
    addToOpenResidue(record)
  }

  private mutating func moveStage() { stage.move(to: &table) }

  /// A Boolean value indicating whether the next atom may belong to the current residue: false at the start of a model
  /// and outside one.
  @inline(__always)
  var hasOpenResidue: Bool { currentResidue >= 0 }

  /// Adds an atom that belongs to the current residue, which must exist.
  @inline(__always)
  mutating func addToOpenResidue(_ record: AtomRecord) {
    if stage.count == AtomStage.capacity { stage.move(to: &table) }
    stage.append(record, residue: currentResidue)
  }

  /// Adds the anisotropic displacement of the last added atom.
  mutating func addAnisotropy(_ tensor: Anisotropy) { table.anisotropy.append(tensor) }

  @inline(never)
  private mutating func enterResidue(_ key: ResidueKey, _ record: AtomRecord) {
    precondition(isModelOpen, "an atom needs an open model")
    currentKey = key
    let newRow = Int32(residues.count)
    if let row = index.enter(key, row: newRow) {
      stage.move(to: &table)
      if !holds(record, residue: row) {
        currentResidue = row
        isScattered = true
        return
      }
      index.replace(key, row: newRow)
    }
    currentResidue = newRow
    let chain = enterChain(key.chain)
    residues.append(
      Residue(
        name: key.name, number: key.number, insertionCode: key.insertionCode, kind: .ligand, chain: chain,
        firstAtom: Int32(atomCount), endAtom: 0))
  }

  /// Returns true if an earlier residue already has this atom: then the number has been reused (wrapped around).
  private func holds(_ record: AtomRecord, residue: Int32) -> Bool {
    let first = Int(residues[Int(residue)].firstAtom)
    for atom in first..<min(first + 64, table.count) where table.residue[atom] == residue {
      if table.name[atom] == record.name, table.altloc[atom] == record.altloc { return true }
    }
    return false
  }

  private mutating func enterChain(_ name: NameID) -> Int32 {
    while chainOfName.count <= Int(name) { chainOfName.append(-1) }
    let residue = residues.count
    if chainOfName[Int(name)] < 0 {
      chainOfName[Int(name)] = Int32(chains.count)
      openChainNames.append(name)
      chains.append(Chain(name: chainNames[name], residueRuns: [residue..<residue + 1]))
      return chainOfName[Int(name)]
    }
    let chain = Int(chainOfName[Int(name)])
    let last = chains[chain].residueRuns.count - 1
    if chains[chain].residueRuns[last].upperBound == residue {
      chains[chain].residueRuns[last] = chains[chain].residueRuns[last].lowerBound..<residue + 1
    } else {
      chains[chain].residueRuns.append(residue..<residue + 1)
    }
    return Int32(chain)
  }

  /// Records the label name or segment of the last added atom's residue; an empty one ends the previous label.
  mutating func addLabel(_ label: String) {
    guard currentResidue >= 0 else { return }
    let chain = Int(residues[Int(currentResidue)].chain)
    if !label.isEmpty, !chains[chain].labels.contains(label) { chains[chain].labels.append(label) }
    // An atom of an earlier residue changes no run.
    if Int(currentResidue) == residues.count - 1, labelRuns.last?.label != label {
      if labelRuns.last?.firstResidue == currentResidue { labelRuns.removeLast() }
      labelRuns.append(LabelRun(firstResidue: currentResidue, label: label))
    }
  }

  /// Completes the hierarchy and moves it into a structure; kinds of residues are left to `ResidueKinds`.
  ///
  /// The builder is empty afterward: atoms and residues are not copied.
  mutating func finish(into structure: inout Structure) {
    endModel()
    moveStage()
    if isScattered { gatherAtoms() } else { endAtomRanges() }
    structure.atoms = table
    structure.residues = residues
    structure.chains = chains
    structure.models = models
    structure.names = names
    structure.labelRuns = labelRuns
    table = AtomTable()
    residues = []
    chains = []
    models = []
  }

  /// Sets the end of every residue to the start of the next.
  private mutating func endAtomRanges() {
    for residue in residues.indices.dropFirst() { residues[residue - 1].endAtom = residues[residue].firstAtom }
    if !residues.isEmpty { residues[residues.count - 1].endAtom = Int32(table.count) }
  }

  /// Sorts atoms by residue, stably (counting sort).
  private mutating func gatherAtoms() {
    var starts = [Int32](repeating: 0, count: residues.count + 1)
    for residue in table.residue { starts[Int(residue) + 1] += 1 }
    for row in 1..<max(starts.count, 1) { starts[row] += starts[row - 1] }
    for residue in residues.indices {
      residues[residue].firstAtom = starts[residue]
      residues[residue].endAtom = starts[residue + 1]
    }
    var order = [Int32](repeating: 0, count: table.count)
    for (atom, residue) in table.residue.enumerated() {
      order[Int(starts[Int(residue)])] = Int32(atom)
      starts[Int(residue)] += 1
    }
    table.reorder(by: order)
  }
}

/// A buffer of atoms to be added to an `AtomTable`, so that its columns grow by many rows at a time.
///
/// Copies share their rows: only one of them may still be used.
private struct AtomStage {
  /// The number of atoms that fit.
  static let capacity = 512
  private static let bytesPerAtom = 48

  private let memory: Memory
  private let base: UnsafeMutableRawPointer
  private(set) var count = 0

  init() {
    memory = Memory(byteCount: Self.bytesPerAtom * Self.capacity)
    base = memory.base
  }

  /// Adds one row; the buffer must not be full.
  @inline(__always)
  mutating func append(_ record: AtomRecord, residue row: Int32) {
    let index = count
    column(0, Double.self)[index] = record.x
    column(8, Double.self)[index] = record.y
    column(16, Double.self)[index] = record.z
    column(24, Float.self)[index] = record.occupancy
    column(28, Float.self)[index] = record.bFactor
    column(32, NameID.self)[index] = record.name
    column(36, Int32.self)[index] = row
    column(40, Int32.self)[index] = record.serial
    column(44, Element.self)[index] = record.element
    column(45, UInt8.self)[index] = record.altloc
    column(46, Int8.self)[index] = record.charge
    column(47, Bool.self)[index] = record.isHetero
    count = index &+ 1
  }

  /// The serial number of the last row.
  var lastSerial: Int32? { count > 0 ? column(40, Int32.self)[count - 1] : nil }

  /// Moves all rows to the end of a table.
  mutating func move(to table: inout AtomTable) {
    table.x.append(contentsOf: rows(0))
    table.y.append(contentsOf: rows(8))
    table.z.append(contentsOf: rows(16))
    table.occupancy.append(contentsOf: rows(24))
    table.bFactor.append(contentsOf: rows(28))
    table.name.append(contentsOf: rows(32))
    table.residue.append(contentsOf: rows(36))
    table.serial.append(contentsOf: rows(40))
    table.element.append(contentsOf: rows(44))
    table.altloc.append(contentsOf: rows(45))
    table.charge.append(contentsOf: rows(46))
    table.isHetero.append(contentsOf: rows(47))
    count = 0
  }

  private func rows<Value>(_ bytesBefore: Int) -> UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: column(bytesBefore, Value.self), count: count)
  }

  /// Returns the column at an offset in bytes per atom.
  @inline(__always)
  private func column<Value>(_ bytesBefore: Int, _ type: Value.Type) -> UnsafeMutablePointer<Value> {
    (base + bytesBefore * Self.capacity).assumingMemoryBound(to: type)
  }

  /// Memory that is deallocated with its last owner.
  private final class Memory {
    let base: UnsafeMutableRawPointer

    init(byteCount: Int) { base = .allocate(byteCount: byteCount, alignment: 64) }

    deinit { base.deallocate() }
  }
}

/// The key that distinguishes the residues of a model.
private struct ResidueKey: Equatable {
  var chain: NameID = 0
  var name: NameID = 0
  var number: Int32 = 0
  var insertionCode: UInt8 = 0
  var segment: UInt32 = 0

  /// Spreads the key over all bits by two odd multipliers.
  var hash: Int {
    let high = UInt64(chain) << 32 | UInt64(name)
    let low = (UInt64(UInt32(bitPattern: number)) << 8 | UInt64(insertionCode)) ^ UInt64(segment) << 40
    let mixed = (high &* 0x9E37_79B9_7F4A_7C15) ^ (low &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 29)) >> 20)
  }
}

/// The residues of the open model by key: open addressing, at most half full.
///
/// Emptying takes time proportional to the entries, not to the capacity: files with very many small models stay cheap.
private struct ResidueKeyIndex {
  private struct Entry {
    var key: ResidueKey
    var row: Int32
    var slot: Int32
  }

  private var slots = [Int32](repeating: -1, count: 1024)
  private var entries: [Entry] = []

  mutating func removeAll() {
    for entry in entries { slots[Int(entry.slot)] = -1 }
    entries.removeAll(keepingCapacity: true)
  }

  /// Returns the row of a key; a new key is assigned the given row, and nil is returned.
  mutating func enter(_ key: ResidueKey, row: Int32) -> Int32? {
    let slot = slot(of: key)
    let entry = slots[slot]
    if entry >= 0 { return entries[Int(entry)].row }
    slots[slot] = Int32(entries.count)
    entries.append(Entry(key: key, row: row, slot: Int32(slot)))
    if entries.count * 2 > slots.count { grow() }
    return nil
  }

  /// Assigns another row to a known key.
  mutating func replace(_ key: ResidueKey, row: Int32) {
    let entry = slots[slot(of: key)]
    if entry >= 0 { entries[Int(entry)].row = row }
  }

  /// Returns the slot in which the key is stored or belongs.
  @inline(__always)
  private func slot(of key: ResidueKey) -> Int {
    let mask = slots.count - 1
    var slot = key.hash & mask
    while slots[slot] >= 0, entries[Int(slots[slot])].key != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for position in entries.indices {
      let slot = slot(of: entries[position].key)
      slots[slot] = Int32(position)
      entries[position].slot = Int32(slot)
    }
  }
}
