import Testing

@testable import WSABI

@Suite struct SensorTrustTests {
  private let pin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+/="

  @Test func `a pin is the base64 of 32 bytes, with or without its prefix`() {
    let good = pin
    #expect(SensorTrust.pin(good) == good && SensorTrust.pin("sha256//" + good) == good)
    for bad in ["", "sha256//", String(good.dropLast()), good + "=", "=" + good.dropFirst(), " " + good.dropFirst()] {
      #expect(SensorTrust.pin(bad) == nil, "\(bad)")
    }
  }

  @Test func `trust settings require https`() throws {
    var trust = SensorTrust()
    #expect(try SensorAddress(parsing: "http://127.0.0.1", trusting: trust).trust.isEmpty)
    trust.pins = [pin]
    #expect(try SensorAddress(parsing: "https://127.0.0.1", trusting: trust).trust == trust)
    #expect(throws: AddressError.notSecure) { try SensorAddress(parsing: "http://127.0.0.1", trusting: trust) }
  }

  @Test(arguments: [
    ("http://127.0.0.1", false), ("http://localhost:80/x", false), ("http://[::1]", false), ("https://sensor", false),
    ("http://sensor", true), ("http://10.0.0.1", true), ("http://127.0.0.1.example", true),
  ]) func `http to another machine is unprotected`(_ text: String, _ isUnprotected: Bool) throws {
    #expect(try SensorAddress(parsing: text).isUnprotected == isUnprotected)
  }

  @Test func `a list of hosts allows only the hosts it names`() {
    let list = AllowedHosts("Desk.example, 192.168.20.0/23 *.lab.example\t[::1],10.0.0.7 10.1.0.0/99 300.1.1.1/8")
    for host in [
      "desk.example", "192.168.20.1", "192.168.21.255", "a.lab.example", "b.a.lab.example", "::1", "10.0.0.7",
    ] {
      #expect(list.allows(host), "\(host)")
    }
    for host in [
      "desk.example.org", "192.168.22.0", "lab.example", "xlab.example", "::2", "10.0.0.8", "10.1.0.1", "44.1.1.1",
      "192.168.20.1.example",
    ] {
      #expect(!list.allows(host), "\(host)")
    }
    #expect(AllowedHosts(" ").allows("anybody") && !AllowedHosts("1.2.3/8").allows("1.2.3.4"))
    #expect(AllowedHosts("0.0.0.0/0").allows("203.0.113.9") && !AllowedHosts("0.0.0.0/0").allows("name"))
  }
}
