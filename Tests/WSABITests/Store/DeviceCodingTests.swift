import PluginAPI
import Testing

@testable import WSABI

/// The encoding of sensors, in old and current forms.
@Suite struct DeviceCodingTests {
  private let device = DeviceDefinition(
    name: "desk", address: "https://sensor.example:8443",
    configuration: WireDictionary([.init("submodality", .string("LeftIris"))]),
    edited: Instant(seconds: 1_800_000_000),
    trust: SensorTrust(pins: ["a", "b"], authorities: "/ca.pem", clientCertificate: "/c.pem", clientKey: "/k.pem"))

  @Test func `a sensor is read back with its trust settings`() throws {
    var writer = ByteWriter(form: 2)
    writer.put(device)
    var reader = try ByteReader(writer.bytes, forms: 1...2)
    #expect(try reader.device() == device)
    try reader.checkEnd()
  }

  @Test func `a sensor of the first format is read without trust settings`() throws {
    var writer = ByteWriter(form: 1)
    writer.put(device.name)
    writer.put(device.address)
    writer.put(device.configuration)
    writer.put(device.edited)
    var reader = try ByteReader(writer.bytes, forms: 1...2)
    let read = try reader.device()
    try reader.checkEnd()
    #expect(read.trust.isEmpty && read.address == device.address && read.configuration == device.configuration)
  }

  @Test func `an unknown format is refused`() {
    #expect(throws: ByteReader.Problem.self) { _ = try ByteReader([3], forms: 1...2) }
  }
}
