#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

// The system's calls, under names that methods of ours do not have.

func systemClose(_ number: Int32) {
  _ = close(number)
}

func systemSend(
  _ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(number, bytes, count, flags)
}
