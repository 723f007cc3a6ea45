extension StructureMetadata: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    for text in [entryID, title, classification, depositionDate, keywords, method, spaceGroup] { encoder.text(text) }
    encoder.texts(authors)
    encoder.list(compounds)
    citation.encode(into: &encoder)
    encoder.optional(resolution)
    encoder.optional(refinementResolution)
    encoder.list(cell.map { [$0] } ?? [])
    encoder.optional(chainsPerCell.map(Double.init))
    encoder.list(depositedFrame.map { [$0] } ?? [])
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init()
    entryID = try decoder.text()
    title = try decoder.text()
    classification = try decoder.text()
    depositionDate = try decoder.text()
    keywords = try decoder.text()
    method = try decoder.text()
    spaceGroup = try decoder.text()
    authors = try decoder.texts()
    compounds = try decoder.list(Compound.self)
    citation = try Citation(from: &decoder)
    resolution = try decoder.optionalNumber()
    refinementResolution = try decoder.optionalNumber()
    cell = try decoder.list(UnitCell.self).first
    chainsPerCell = try decoder.optionalNumber().flatMap { Int(exactly: $0) }
    depositedFrame = try decoder.list(Transform.self).first
  }
}

extension Compound: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    encoder.text(name)
    encoder.texts(chains)
    encoder.texts(labels)
    encoder.text(organism)
    for list in [details, sourceDetails] { encoder.texts(list.flatMap { [$0.token, $0.value] }) }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      id: try decoder.text(), name: try decoder.text(), chains: try decoder.texts(), labels: try decoder.texts(),
      organism: try decoder.text())
    details = try Self.details(&decoder)
    sourceDetails = try Self.details(&decoder)
  }

  private static func details(_ decoder: inout ColumnDecoder) throws(ColumnError) -> [Detail] {
    let words = try decoder.texts()
    guard words.count.isMultiple(of: 2) else { throw .unexpected(offset: decoder.position) }
    return stride(from: 0, to: words.count, by: 2).map { Detail(token: words[$0], value: words[$0 + 1]) }
  }
}

extension Citation: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(title)
    encoder.texts(authors)
    for text in [reference, doi, pubMed] { encoder.text(text) }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      title: try decoder.text(), authors: try decoder.texts(), reference: try decoder.text(),
      doi: try decoder.text(), pubMed: try decoder.text())
  }
}

extension UnitCell: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    for value in [a, b, c, alpha, beta, gamma] { encoder.number(value) }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      a: try decoder.number(), b: try decoder.number(), c: try decoder.number(), alpha: try decoder.number(),
      beta: try decoder.number(), gamma: try decoder.number())
  }
}

extension PolymerSequence: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    encoder.texts(chains)
    encoder.texts(residueNames)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(id: try decoder.text(), chains: try decoder.texts(), residueNames: try decoder.texts())
  }
}

extension Assembly: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    encoder.text(details)
    encoder.text(oligomericDetails)
    encoder.list(parts)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      id: try decoder.text(), details: try decoder.text(), oligomericDetails: try decoder.text(),
      parts: try decoder.list(AssemblyPart.self))
  }
}

extension AssemblyPart: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.texts(chains)
    encoder.byte(usesLabels ? 1 : 0)
    encoder.list(operators)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      chains: try decoder.texts(), usesLabels: try decoder.byte() != 0, operators: try decoder.list(Transform.self))
  }
}

extension Transform: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    for row in [row0, row1, row2, translation] {
      for index in 0..<3 { encoder.number(row[index]) }
    }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    func row(_ decoder: inout ColumnDecoder) throws(ColumnError) -> SIMD3<Double> {
      SIMD3(try decoder.number(), try decoder.number(), try decoder.number())
    }
    self.init(
      row0: try row(&decoder), row1: try row(&decoder), row2: try row(&decoder), translation: try row(&decoder))
  }
}

extension StructureDiagnostic: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(code)
    encoder.text(message)
    place.encode(into: &encoder)
    encoder.byte(severity.rawValue)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    let (code, message, place) = (try decoder.text(), try decoder.text(), try FilePlace(from: &decoder))
    guard let severity = Severity(rawValue: try decoder.byte()) else { throw .unexpected(offset: decoder.position) }
    self.init(code: code, message: message, place: place, severity: severity)
  }
}

extension FilePlace: ColumnCodable {
  /// Writes the line, 0 if there is none, followed by the column or by the byte offset from 1, 0 for the whole file.
  func encode(into encoder: inout ColumnEncoder) {
    encoder.count(line)
    encoder.count(line > 0 ? column : byte.map { $0 + 1 } ?? 0)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    let (line, second) = (Int(clamping: try decoder.unsigned()), Int(clamping: try decoder.unsigned()))
    self = line > 0 ? .text(line: line, column: second) : second > 0 ? .byte(second - 1) : .whole
  }
}

extension Chain: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(name)
    encoder.texts(labels)
    encoder.count(residueRuns.count)
    for run in residueRuns {
      encoder.count(run.lowerBound)
      encoder.count(run.count)
    }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(name: try decoder.text(), labels: try decoder.texts())
    for _ in 0..<(try decoder.count(bytesEach: 2)) {
      let (start, count) = (try decoder.unsigned(), try decoder.unsigned())
      guard start <= UInt64(Int32.max), count <= UInt64(Int32.max) else {
        throw .unexpected(offset: decoder.position)
      }
      residueRuns.append(Int(start)..<Int(start + count))
    }
  }
}

extension LabelRun: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.integer(Int(firstResidue))
    encoder.text(label)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(firstResidue: try decoder.integer(as: Int32.self), label: try decoder.text())
  }
}

extension Anisotropy: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.integer(Int(atom))
    for value in [u11, u22, u33, u12, u13, u23] { encoder.integer(Int(value.bitPattern)) }
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    func float(_ decoder: inout ColumnDecoder) throws(ColumnError) -> Float {
      Float(bitPattern: try decoder.integer(as: UInt32.self))
    }
    self.init(
      atom: try decoder.integer(as: Int32.self), u11: try float(&decoder), u22: try float(&decoder),
      u33: try float(&decoder), u12: try float(&decoder), u13: try float(&decoder), u23: try float(&decoder))
  }
}

extension ResidueAddress: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(chain)
    encoder.integer(Int(number))
    encoder.byte(insertionCode)
    encoder.text(name)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      chain: try decoder.text(), number: try decoder.integer(as: Int32.self), insertionCode: try decoder.byte(),
      name: try decoder.text())
  }
}

extension Helix: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    first.encode(into: &encoder)
    last.encode(into: &encoder)
    encoder.integer(helixClass)
    encoder.integer(length)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      id: try decoder.text(), first: try ResidueAddress(from: &decoder), last: try ResidueAddress(from: &decoder),
      helixClass: try decoder.integer(), length: try decoder.integer())
  }
}

extension Sheet: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    encoder.list(strands)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(id: try decoder.text(), strands: try decoder.list(Strand.self))
  }
}

extension Strand: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.text(id)
    first.encode(into: &encoder)
    last.encode(into: &encoder)
    encoder.integer(sense)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      id: try decoder.text(), first: try ResidueAddress(from: &decoder), last: try ResidueAddress(from: &decoder),
      sense: try decoder.integer())
  }
}

extension ConnectionEnd: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    residue.encode(into: &encoder)
    encoder.text(atomName)
    encoder.byte(altloc)
    encoder.text(symmetry)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      residue: try ResidueAddress(from: &decoder), atomName: try decoder.text(), altloc: try decoder.byte(),
      symmetry: try decoder.text())
  }
}

extension Connection: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.byte(kind.rawValue)
    first.encode(into: &encoder)
    second.encode(into: &encoder)
    encoder.byte(order)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    guard let kind = Kind(rawValue: try decoder.byte()) else { throw .unexpected(offset: decoder.position) }
    self.init(
      kind: kind, first: try ConnectionEnd(from: &decoder), second: try ConnectionEnd(from: &decoder),
      order: try decoder.byte())
  }
}

extension CisPeptide: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    first.encode(into: &encoder)
    second.encode(into: &encoder)
    encoder.byte(altloc)
    encoder.integer(model)
    encoder.optional(omega)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      first: try ResidueAddress(from: &decoder), second: try ResidueAddress(from: &decoder),
      altloc: try decoder.byte(), model: try decoder.integer(), omega: try decoder.optionalNumber())
  }
}

extension ModifiedResidue: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    residue.encode(into: &encoder)
    encoder.text(parent)
    encoder.text(details)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      residue: try ResidueAddress(from: &decoder), parent: try decoder.text(), details: try decoder.text())
  }
}

extension NCSOperator: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    transform.encode(into: &encoder)
    encoder.byte(isGiven ? 1 : 0)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(transform: try Transform(from: &decoder), isGiven: try decoder.byte() != 0)
  }
}

extension StatedBond: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    encoder.integer(Int(first))
    encoder.integer(Int(second))
    encoder.byte(order)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    self.init(
      first: try decoder.integer(as: Int32.self), second: try decoder.integer(as: Int32.self),
      order: try decoder.byte())
  }
}

extension ComponentBond: ColumnCodable {
  func encode(into encoder: inout ColumnEncoder) {
    for name in [component, first, second] { encoder.count(UInt64(name)) }
    encoder.byte(order.rawValue)
  }

  init(from decoder: inout ColumnDecoder) throws(ColumnError) {
    func name(_ decoder: inout ColumnDecoder) throws(ColumnError) -> NameID {
      NameID(truncatingIfNeeded: try decoder.unsigned())
    }
    let (component, first, second) = (try name(&decoder), try name(&decoder), try name(&decoder))
    guard let order = BondOrder(rawValue: try decoder.byte()) else { throw .unexpected(offset: decoder.position) }
    self.init(component: component, first: first, second: second, order: order)
  }
}
