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
