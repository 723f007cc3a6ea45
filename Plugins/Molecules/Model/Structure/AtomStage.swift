/// A buffer of atoms to be added to an `AtomTable`, so that its columns grow by many rows at a time.
///
/// Copies share their rows: only one of them may still be used.
struct AtomStage {
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
    let place = count
    column(0, Double.self)[place] = record.x
    column(8, Double.self)[place] = record.y
    column(16, Double.self)[place] = record.z
    column(24, Float.self)[place] = record.occupancy
    column(28, Float.self)[place] = record.bFactor
    column(32, NameID.self)[place] = record.name
    column(36, Int32.self)[place] = row
    column(40, Int32.self)[place] = record.serial
    column(44, Element.self)[place] = record.element
    column(45, UInt8.self)[place] = record.altloc
    column(46, Int8.self)[place] = record.charge
    column(47, Bool.self)[place] = record.isHetero
    count = place &+ 1
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
