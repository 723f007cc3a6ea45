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
