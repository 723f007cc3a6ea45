import PluginAPI
import Testing

@testable import WSABI

/// Addresses of sensors, fault 51.
@Suite struct SensorAddressTests {
  private func outcome(_ text: String) -> String {
    do {
      return try SensorAddress(parsing: text).text
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("http://host:8000/Service", "http://host:8000/Service"), ("host:8000/Service/", "http://host:8000/Service"),
    (" HTTP://Host.Example:80/// ", "http://host.example"), ("https://host:443/a", "https://host/a"),
    ("https://host:80", "https://host:80"), ("host", "http://host"), ("host.example.", "http://host.example"),
    ("[::1]:8000", "http://[::1]:8000"), ("http://[0:0:0:0:0:0:0:1]/x", "http://[::1]/x"),
    ("http://[2001:DB8::0001]:80", "http://[2001:db8::1]"), ("192.168.1.20:8000", "http://192.168.1.20:8000"),
    ("http://host/a%20b/c;d=e", "http://host/a%20b/c;d=e"), ("xn--bcher-kva.example", "http://xn--bcher-kva.example"),
    ("http://host/a//b", "http://host/a//b"), ("host_1:1", "http://host_1:1"), ("h:65535", "http://h:65535"),
  ])
  func `an address is normalized to one spelling`(text: String, spelling: String) throws {
    #expect(outcome(text) == spelling)
    #expect(outcome(spelling) == spelling)
  }

  @Test func `host and port are parsed separately`() throws {
    let address = try SensorAddress(parsing: "https://[2001:DB8::0001]/x")
    #expect(address.host == "2001:db8::1")
    #expect(address.port == 443)
    #expect(address.isSecure)
    #expect(address.appending("info") == "https://[2001:db8::1]/x/info")
  }

  @Test(arguments: [
    ("", AddressError.empty), ("  \n", .empty), ("http://", .host), ("http:///x", .host), ("http://:80", .host),
    ("file:///etc/passwd", .scheme("file")), ("ftp://host", .scheme("ftp")), ("javascript:alert(1)", .port),
    ("http://user:secret@host/", .credentials), ("user@host", .credentials), ("http://h@st:80", .credentials),
    ("http://host/?a=b", .extras), ("http://host#x", .extras), ("http://host:0", .port), ("http://host:65536", .port),
    ("http://host:-1", .port), ("http://host:", .port), ("http://host:8o", .port),
    ("http://b\u{FC}cher.example", .host),
    ("http://ho st", .host), ("http://host\u{0}", .host), ("http://a:b:c", .host), ("http://[::1", .host),
    ("http://[::1]x", .host), ("http://[fe80::1%25eth0]", .host), ("http://[::g]", .host), ("127.1", .host),
    ("0x7f.0.0.1", .host), ("http://2130706433", .host), ("http://256.1.1.1", .host), ("http://a..b", .host),
    ("http://host/a b", .path), ("http://host/../x", .path), ("http://host/%2", .path), ("http://host/\\x", .path),
    ("http://host/\u{FC}", .path), ("http://host/<x>", .path),
  ])
  func `text that is not the address of a sensor is rejected with the reason`(text: String, reason: AddressError) {
    #expect(outcome(text) == "\(reason)")
  }

  @Test func `an address that is too long is refused`() {
    #expect(outcome("http://host/" + String(repeating: "a", count: 2048)) == "tooLong")
    #expect(outcome("http://" + String(repeating: "a", count: 64)) == "host")
  }

  @Test func `no part of a rejected address is in its message`() {
    let secret = "user:s3cret"
    for text in ["http://\(secret)@host/", "\(secret)://host", "\(secret)@host", "http://host/?k=s3cret"] {
      do {
        _ = try SensorAddress(parsing: text)
        Issue.record("taken: \(text)")
      } catch {
        #expect(!error.report.description.contains("s3cret"))
        #expect(error.report.code == "wsabi.bad-address")
      }
    }
  }
}
