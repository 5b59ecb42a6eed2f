// Package guard has memory for tests that ends where reading must end: whatever touches a
// byte before or after it is stopped by the system.
package guard
