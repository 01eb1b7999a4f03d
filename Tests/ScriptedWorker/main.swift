import HybridLocal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// A worker for the tests: an honest one, as a service's own program would be, or one that does what its
// arguments say, one after another.
//
//     serve            as LocalWorker expects it
//     read             wait for one message
//     ready            say that it is ready
//     send:JSON        say this
//     raw:HEX          write these bytes
//     words:TEXT       write this to stderr
//     many:N           write N bytes to stderr
//     abort, exit:N    end so
//     drain            read until the parent has gone
//     endless:JSON     say this over and over, 64 times a millisecond at most
//     stop             stop this process, as SIGSTOP from somebody else would
//     sweep, walk      open some descriptors, close them all, and tell by the status whether they are
//     reuse            see to it that a process gets the number of a worker that has gone, end the worker
//                      again, and print whether the other one lives
//     hang             never do anything any more
//     parent           start an honest worker, print its number, and hang
//     restarts:N       have one crash so often, and print what that left

#if LocalLlama
  if CommandLine.arguments.contains("serve") { WorkerMain.run() }

  let stream: Int32 = 3

  func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = Array(rest)
      let count = unsafe write(descriptor, part, part.count)
      if count <= 0 { _exit(90) }
      rest = rest.dropFirst(count)
    }
  }

  func say(_ text: some StringProtocol) {
    let body = Array(text.utf8)
    let length = UInt32(body.count)
    writeAll([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body, to: stream)
  }

  func sweep(walks: Bool) -> Bool {
    let null = unsafe open("/dev/null", O_RDONLY)
    let own = (0..<300).map { _ in dup(null) }
    WorkerMain.sweep(from: stream + 1, walks: walks)
    return own.allSatisfy { $0 > stream && fcntl($0, F_GETFD) < 0 } && fcntl(2, F_GETFD) >= 0
  }

  func readAll(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var part = [UInt8](repeating: 0, count: count - bytes.count)
      let got = unsafe read(stream, &part, part.count)
      if got <= 0 { return nil }
      bytes += part.prefix(got)
    }
    return bytes
  }

  func readMessage() -> Bool {
    guard let head = readAll(4) else { return false }
    return readAll(head.reduce(0) { $0 << 8 | Int($1) }) != nil
  }

  for argument in CommandLine.arguments.dropFirst() {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? parts[1] : ""
    switch parts[0] {
    case "read": _ = readMessage()
    case "ready": say(#"{"ready":\#(WorkerReply.version)}"#)
    case "send": say(value)
    case "raw":
      let digits = value.compactMap(\.hexDigitValue)
      writeAll(
        stride(from: 0, to: digits.count - 1, by: 2).map {
          UInt8(digits[$0] << 4 | digits[$0 + 1])
        },
        to: stream)
    case "words": writeAll(Array(value.utf8), to: 2)
    case "many": writeAll(Array(repeating: UInt8(ascii: "x"), count: Int(value) ?? 0), to: 2)
    case "abort": abort()
    case "exit": _exit(Int32(value) ?? 1)
    case "drain": while readMessage() {}
    case "endless":
      // Leaves the processor to the tests that run beside this one.
      while true {
        for _ in 0..<64 { say(value) }
        usleep(1_000)
      }
    case "stop": kill(getpid(), SIGSTOP)
    case "sweep", "walk": _exit(sweep(walks: parts[0] == "walk") ? 0 : 1)
    case "reuse": print(try NumberReuse.run())
    case "hang": while true { pause() }
    case "parent": await Parent().startOne()
    case "restarts": await Parent().crash(Int(value) ?? 0)
    default: _exit(91)
    }
  }
#endif
