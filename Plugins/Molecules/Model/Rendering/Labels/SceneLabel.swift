import PluginAPI

/// A text at a position in a molecule.
struct SceneLabel: Equatable, Sendable {
  var text: String
  /// The position in ångström.
  var place: SIMD3<Float>

  /// The largest number of drawn atoms with labels of single residues or atoms; more would be unreadable.
  static let mostAtoms = 100_000

  /// Returns the labels of drawn atoms.
  ///
  /// Atoms have labels only where they are drawn individually, residues and the ends of chains where any part of them
  /// is drawn. There are none if too many atoms are drawn for them.
  ///
  /// - Complexity: O(atoms).
  static func labels(_ kind: LabelKind, of structure: Structure, drawn: DrawnAtoms) -> [SceneLabel] {
    guard structure.models.indices.contains(drawn.model), kind.isReadable(on: drawn) else { return [] }
    let part = structure.models[drawn.model]
    let residues = part.residues.lazy.filter { structure.residues[$0].kind != .water }
    switch kind {
    case .none: return []
    case .chains: return part.chains.flatMap { ends(ofChain: $0, structure, drawn) }
    case .residues: return residues.compactMap { label(ofResidue: $0, structure, drawn) }
    case .atoms:
      return residues.flatMap { residue in
        structure.residues[residue].atoms.filter { drawn.single[$0] }.map { atom in
          SceneLabel(text: structure.atomName(atom), place: drawn.position(ofAtom: atom, in: structure))
        }
      }
    }
  }

  /// Returns the labels of the first and the last drawn residue of a chain's polymer, with the chain's name.
  private static func ends(ofChain chain: Int, _ structure: Structure, _ drawn: DrawnAtoms) -> [SceneLabel] {
    let residues = structure.chains[chain].residueRuns.joined().filter {
      structure.residues[$0].kind == .polymer && drawn.all.intersects(structure.residues[$0].atoms)
    }
    guard let first = residues.first, let last = residues.last else { return [] }
    return (first == last ? [first] : [first, last]).compactMap { residue in
      guard var label = label(ofResidue: residue, structure, drawn) else { return nil }
      let name = structure.chains[chain].name
      if !name.isEmpty { label.text = name + " " + label.text }
      return label
    }
  }

  /// Returns the label of a residue with name and number, at the drawn atom that represents it; nil if none is drawn.
  private static func label(ofResidue residue: Int, _ structure: Structure, _ drawn: DrawnAtoms) -> SceneLabel? {
    let atoms = structure.residues[residue].atoms.lazy.filter { drawn.all[$0] }
    let guide = atoms.first { ["CA", "P", "C4'", "C4*"].contains(structure.atomName($0)) }
    guard let atom = guide ?? atoms.first else { return nil }
    return SceneLabel(text: text(ofResidue: residue, structure), place: drawn.position(ofAtom: atom, in: structure))
  }

  /// Returns the name and number of a residue, as `ALA 5`.
  static func text(ofResidue residue: Int, _ structure: Structure) -> String {
    structure.residueName(residue) + " " + structure.address(ofResidue: residue).numberText
  }
}

/// The labeled parts of a molecule.
enum LabelKind: String, CaseIterable, ParameterValue {
  /// No labels.
  case none
  /// Both ends of every polymer chain.
  case chains
  /// Every residue except waters.
  case residues
  /// Every atom except waters.
  case atoms

  /// Returns false if a picture shows too many atoms for labels of this kind.
  func isReadable(on drawn: DrawnAtoms) -> Bool {
    switch self {
    case .none, .chains: true
    case .residues, .atoms: drawn.all.count <= SceneLabel.mostAtoms
    }
  }

  /// Returns a note if a picture shows too many atoms for labels of this kind, no atom individually, or only water.
  ///
  /// - Parameter labels: The labels of this kind in the picture.
  func note(on drawn: DrawnAtoms, labels: [SceneLabel]) -> Diagnostic? {
    guard isReadable(on: drawn) else {
      return Diagnostic(
        .note, code: "molecules.too-many-labels",
        "no labels of \(rawValue): more than \(SceneLabel.mostAtoms) atoms are drawn",
        advice: "draw fewer atoms, or label chains")
    }
    guard self == .atoms || self == .residues, labels.isEmpty, !drawn.all.isEmpty else { return nil }
    if self == .atoms, drawn.single.isEmpty {
      return Diagnostic(
        .note, code: "molecules.not-all-shown", "no atoms are drawn individually, so none are labeled",
        advice: "draw sticks, or label residues")
    }
    return Diagnostic(
      .note, code: "molecules.not-all-shown", "no \(rawValue) but those of water are drawn, so none are labeled")
  }
}

/// The description of one atom, in one line.
enum AtomDescription {
  /// Returns chain, residue, atom, element, position, occupancy and displacement of an atom by its index; nil if there
  /// is none.
  static func text(_ atom: Int, of structure: Structure) -> String? {
    guard (0..<structure.atoms.count).contains(atom) else { return nil }
    let residue = Int(structure.atoms.residue[atom])
    let address = structure.address(ofResidue: residue)
    var words = address.chain.isEmpty ? [] : ["chain \(address.chain)"]
    words.append("\(address.name) \(address.numberText)")
    let location = structure.atoms.altloc[atom]
    let name = structure.atomName(atom)
    words.append(location == 0 ? name : "\(name) location \(Character(UnicodeScalar(location)))")
    words.append(structure.atoms.element[atom].name)
    let position = structure.atoms.position(atom)
    words.append(
      [position.x, position.y, position.z].map { FixedText.text($0, decimals: 2) }.joined(separator: " ") + " Å")
    words.append("B \(FixedText.text(Double(structure.atoms.bFactor[atom]), decimals: 1))")
    if structure.atoms.occupancy[atom] != 1 {
      words.append("occupancy \(FixedText.text(Double(structure.atoms.occupancy[atom]), decimals: 2))")
    }
    return words.joined(separator: "  ")
  }
}

/// Places labels in a picture without overlaps, the nearest first.
struct LabelLayout: Sendable {
  /// A label with its position in the picture.
  struct Placed: Equatable, Sendable {
    var text: String
    /// The upper left corner of the text, in units of the layout.
    var x: Int
    var y: Int
  }

  /// The size of the picture in units: cells, or dots of letters.
  let width: Int
  let height: Int
  /// The size of a letter in units, with the space around it.
  var letter: (width: Int, height: Int) = (1, 1)
  /// The most labels; more would hide the molecule.
  static let most = 400

  init(width: Int, height: Int, letter: (width: Int, height: Int) = (1, 1)) {
    self.width = width
    self.height = height
    self.letter = letter
  }

  /// Places labels in a view, centered on their positions but moved in at the edges.
  ///
  /// There are none for positions outside the picture, nor if they are larger than the picture.
  ///
  /// - Parameters:
  ///   - labels: the labels, in any order.
  ///   - viewport: the picture; its pixels are spread over the units of the layout.
  /// - Complexity: O(labels × log labels).
  func place(_ labels: [SceneLabel], from camera: Camera, onto viewport: Viewport) -> [Placed] {
    guard viewport.width > 0, viewport.height > 0, width > 0, height > 0 else { return [] }
    let projection = Projection(camera, onto: viewport)
    let scale = SIMD2(
      Float(width) / Float(viewport.width), Float(height) / (Float(viewport.height) * viewport.pixelAspect))
    var ordered: [(index: Int, point: SIMD3<Float>)] = []
    for index in labels.indices {
      let point = projection(labels[index].place)
      if point.isFinitePlace { ordered.append((index, point)) }
    }
    ordered.sort { $0.point.z == $1.point.z ? $0.index < $1.index : $0.point.z > $1.point.z }
    var taken = [Bool](repeating: false, count: width * height)
    var placed: [Placed] = []
    for (index, point) in ordered {
      if placed.count == Self.most { break }
      let text = labels[index].text
      let size = (width: text.count * letter.width, height: letter.height)
      let middle = SIMD2(point.x, point.y) * scale
      guard middle.x >= 0, middle.y >= 0, middle.x < Float(width), middle.y < Float(height),
        size.width <= width, size.height <= height
      else { continue }
      let x: Int = min(max(0, Int(middle.x) - size.width / 2), width - size.width)
      let y: Int = min(max(0, Int(middle.y) - size.height / 2), height - size.height)
      // One unit of space on each side.
      let columns = max(0, x - 1)..<min(width, x + size.width + 1)
      let rows = y..<y + size.height
      guard !rows.contains(where: { row in columns.contains { taken[row * width + $0] } }) else { continue }
      for row in rows { for column in columns { taken[row * width + column] = true } }
      placed.append(Placed(text: text, x: x, y: y))
    }
    return placed
  }
}
