import Glibc
import PluginVault
import Testing

@testable import WSABI

struct VaultKeyTests {
  init() throws { try Vault.open() }

  private func key(_ byte: UInt8) throws -> VaultKey { try VaultKey.of([UInt8](repeating: byte, count: 32)) }

  @Test func `memory is excluded from core dumps`() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #expect(limit.rlim_cur == 0)
  }

  @Test(arguments: [0, 1, 16, 1000]) func `sealed data opens only with the same key and binding`(
    _ size: Int
  ) throws {
    let message = StoreSamples.data(size)
    let sealed = try key(1).seal(message, bound: [1, 2])
    #expect(sealed.count == size + 40)
    #expect(try key(1).unseal(sealed, bound: [1, 2]) == message)
    #expect(try key(2).unseal(sealed, bound: [1, 2]) == nil)
    #expect(try key(1).unseal(sealed, bound: [1, 3]) == nil)
    #expect(try key(1).unseal(sealed, bound: []) == nil)
    #expect(try key(1).unseal(Array(sealed.dropLast()), bound: [1, 2]) == nil)
    for place in [0, 23, 24, sealed.count - 1] {
      var changed = sealed
      changed[place] ^= 0x80
      #expect(try key(1).unseal(changed, bound: [1, 2]) == nil)
    }
    #expect(try key(1).unseal([], bound: []) == nil)
  }

  @Test func `the same message is sealed differently every time`() throws {
    let key = try VaultKey.random()
    #expect(Set((0..<100).map { _ in key.seal([1, 2, 3], bound: []) }).count == 100)
  }

  @Test func `a passphrase always gives the same key, and other parameters give another key`() throws {
    func code(_ words: String, _ salt: UInt8, _ stretching: Stretching) throws -> [UInt8] {
      try VaultKey.stretched(Array(words.utf8), salt: [UInt8](repeating: salt, count: 16), stretching).code([])
    }
    let usual = Stretching(passes: 1, memoryInBytes: 64 << 10)
    let first = try code("words", 1, usual)
    #expect(try code("words", 1, usual) == first)
    #expect(try code("Words", 1, usual) != first)
    #expect(try code("words", 2, usual) != first)
    #expect(try code("words", 1, Stretching(passes: 2, memoryInBytes: 64 << 10)) != first)
    #expect(try code("words", 1, Stretching(passes: 1, memoryInBytes: 128 << 10)) != first)
  }

  @Test func `derived keys differ from each other and from their source`() throws {
    let master = try key(3)
    let codes =
      try (1...7).map { try master.derived($0).code([]) } + [master.code([]), master.mixed(with: [1]).code([])]
    #expect(Set(codes).count == 9)
    #expect(try key(3).derived(1).code([]) == codes[0])
  }
}
